import { describe, expect, it } from 'vitest'
import { endsOf, faultOf } from '../../../src/proof/results/faults.ts'
import { type CheckOutput, judgeOutput } from '../../../src/proof/results/judge-output.ts'

const ran = (code: number, stderr: string, more: Partial<CheckOutput> = {}) =>
  judgeOutput({
    ...{ parser: 'auto', stdout: '', stderr, truncated: false, root: '' },
    exit: { reason: 'exited', code, signal: null },
    ...more,
  })

describe('what a check could not do for the machine it ran on', () => {
  const rows: [string, string, number, string, ReturnType<typeof faultOf>][] = [
    ['a program that is not installed', 'cargo test', 127, 'sh: 1: cargo: not found', 'lacking'],
    ['the same in bash', 'cd a && pytest -q', 127, 'bash: line 1: pytest: command not found', 'lacking'],
    ['the same behind a variable', 'CI=1 jest', 127, '/bin/sh: 1: jest: not found', 'lacking'],
    ['what a script of the repository starts', 'npm test', 127, '> jest\n\nsh: 1: jest: not found', 'not-started'],
    [
      'the same by make',
      'make test',
      2,
      'make: jest: No such file\nmake: *** [Makefile:2: test] Error 127',
      'not-started',
    ],
    ['a script that is not there', './check.sh', 127, 'sh: 1: ./check.sh: not found', 'not-started'],
    ['a script that may not be run', './check.sh', 126, 'sh: 1: ./check.sh: Permission denied', 'not-started'],
    ['a full disk', 'npm test', 1, 'Error: ENOSPC: no space left on device, write', 'full'],
    ['a full disk, in words', 'go test ./...', 1, 'write /tmp/x: No space left on device', 'full'],
    ['a syntax error', 'npm test', 1, 'SyntaxError: Unexpected token', null],
    ['a module that is not there', 'npm test', 1, "Error: Cannot find module './x'", null],
  ]
  it.each(rows)('%s', (_, command, code, stderr, fault) => {
    expect(faultOf(ran(code, stderr), command)).toBe(fault)
  })

  it('is never said of a run that tells of tests, whatever they print', () => {
    const stdout = 'TAP version 13\nnot ok 1 - says ENOSPC\n1..1\n# tests 1\n# pass 0\n# fail 1\n'
    expect(faultOf(ran(1, 'x: not found\nENOSPC', { stdout }), 'x')).toBeNull()
    expect(faultOf(ran(0, 'x: not found', { parser: 'exit-code' }), 'x')).toBeNull()
  })

  it('is told with the first and the last lines', () => {
    const text = endsOf(Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join('\n'))
    expect(text).toMatch(/line 0\n.*line 3\n {2}…\n {2}line 46\n.*line 49\n$/s)
    expect(endsOf('\n \n')).toBe('it printed nothing')
  })
})
