// Every recorded run, and what must be made of it.
import { describe, expect, it } from 'vitest'
import type { ParserName } from '../../../src/delivery/judging/finding.ts'
import type { CheckResult } from '../../../src/proof/results/check-result.ts'
import { caseNames, judgeCase, readCase } from './cases.ts'

type Status = CheckResult['status']
/** Status; then passed, failed, skipped. */
type Expected = [Status] | [Status, number, number, number]

const expected: Record<string, Record<string, Expected>> = {
  vitest: {
    broken: ['build-error', 0, 1, 0],
    'colour-verbose': ['test-failure', 6, 2, 2],
    crash: ['crash'],
    'empty-file': ['test-failure', 4, 1, 2],
    green: ['pass', 4, 0, 2],
    grouped: ['test-failure', 0, 3, 0],
    'green-json': ['pass', 4, 0, 2],
    junit: ['test-failure', 3, 3, 2],
    mixed: ['test-failure', 3, 3, 2],
    'mixed-json-stdout': ['test-failure', 3, 3, 2],
    noise: ['pass', 2, 0, 0],
    none: ['no-tests', 0, 0, 0],
    projects: ['test-failure', 3, 3, 2],
    unhandled: ['test-failure', 2, 1, 0],
    watch: ['timeout'],
  },
  jest: {
    broken: ['build-error', 0, 1, 0],
    'colour-verbose': ['test-failure', 6, 2, 2],
    coverage: ['pass', 4, 0, 2],
    crash: ['crash'],
    'empty-file': ['test-failure', 4, 1, 2],
    green: ['pass', 4, 0, 2],
    'green-json-stdout': ['pass', 4, 0, 2],
    junit: ['test-failure', 4, 2, 1],
    'many-files': ['test-failure', 22, 5, 0],
    mixed: ['test-failure', 3, 3, 2],
    'mixed-json': ['test-failure', 3, 3, 2],
    noise: ['pass', 2, 0, 0],
    none: ['no-tests', 0, 0, 0],
    'single-verbose': ['pass', 3, 0, 0],
    watch: ['timeout'],
  },
  mocha: {
    broken: ['build-error', 0, 1, 0],
    colour: ['test-failure', 3, 3, 2],
    crash: ['crash'],
    dot: ['test-failure', 3, 3, 2],
    'empty-file': ['no-tests', 0, 0, 0],
    exits: ['crash'],
    green: ['pass', 4, 0, 2],
    'green-json-stdout': ['pass', 4, 0, 2],
    mixed: ['test-failure', 3, 3, 2],
    'mixed-json': ['test-failure', 3, 3, 2],
    noise: ['pass', 1, 0, 0],
    none: ['no-tests', 0, 0, 0],
    watch: ['timeout'],
  },
  pytest: {
    'all-skipped': ['no-tests', 0, 0, 1],
    broken: ['build-error', 0, 1, 0],
    collection: ['build-error', 0, 1, 0],
    colour: ['test-failure', 2, 3, 0],
    crash: ['crash'],
    exits: ['crash'],
    green: ['pass', 3, 0, 2],
    mixed: ['test-failure', 5, 3, 2],
    'mixed-junit': ['test-failure', 5, 4, 2],
    noise: ['pass', 1, 0, 0],
    none: ['no-tests', 0, 0, 0],
    quiet: ['test-failure', 2, 3, 0],
    traceback: ['test-failure', 0, 2, 0],
    usage: ['build-error'],
    verbose: ['pass', 3, 0, 2],
  },
  go: {
    broken: ['build-error', 0, 1, 0],
    cover: ['pass', 1, 0, 0],
    exits: ['test-failure', 1, 1, 0],
    green: ['pass', 1, 0, 0],
    'green-json': ['pass', 1, 0, 1],
    'green-verbose': ['pass', 1, 0, 1],
    mixed: ['test-failure', 1, 3, 0],
    'mixed-json': ['test-failure', 3, 3, 1],
    'mixed-verbose': ['test-failure', 3, 2, 1],
    'no-match': ['no-tests', 0, 0, 0],
    noise: ['pass', 1, 0, 0],
    none: ['no-tests', 0, 0, 0],
    panic: ['test-failure', 1, 1, 0],
    'panic-json': ['test-failure', 1, 1, 0],
  },
  cargo: {
    broken: ['build-error', 0, 1, 0],
    colour: ['test-failure', 1, 2, 0],
    crash: ['crash'],
    green: ['pass', 4, 0, 1],
    mixed: ['test-failure', 1, 2, 0],
    'mixed-no-fail-fast': ['test-failure', 2, 2, 0],
    noise: ['pass', 2, 0, 0],
    'noise-captured': ['pass', 2, 0, 0],
    none: ['no-tests', 0, 0, 0],
    quiet: ['pass', 4, 0, 1],
  },
  junit: { node: ['test-failure', 2, 2, 2] },
}

const all = Object.entries(expected).flatMap(([runner, cases]) =>
  Object.entries(cases).map(([name, told]) => [runner, name, told] as const),
)
const green = all.filter(([, , [status]]) => status === 'pass').map(([runner, name]) => [runner, name] as const)
const red = all.filter(([, , [status]]) => status === 'test-failure').map(([runner, name]) => [runner, name] as const)

describe.each(Object.keys(expected))('what %s prints', (runner) => {
  it('is all judged here', () => {
    expect(caseNames(runner).sort()).toEqual(Object.keys(expected[runner]!).sort())
  })

  it.each(Object.entries(expected[runner]!))('%s', (name, [status, passed, failed, skipped]) => {
    const result = judgeCase(runner, name)
    expect(result.status).toBe(status)
    if (passed !== undefined) expect(result.counts).toMatchObject({ passed, failed, skipped })
    if (status === 'test-failure' || (status === 'build-error' && result.counts !== null)) {
      expect(result.failures).toHaveLength(result.counts!.failed)
      expect(result.failures.every((failure) => failure.test !== '' && failure.error !== '')).toBe(true)
    }
  })
})

describe('in doubt it is red', () => {
  it.each(green)('exit code 1 with every test green: %s %s', (runner, name) => {
    const result = judgeCase(runner, name, { exit: { reason: 'exited', code: 1, signal: null } })
    expect(result).toMatchObject({ status: 'crash', failures: [] })
    expect(result.message).toContain('although every reported test passed')
  })

  it.each(red)('exit code 0 with failures: %s %s', (runner, name) => {
    const result = judgeCase(runner, name, { exit: { reason: 'exited', code: 0, signal: null } })
    expect(result.status).toBe('test-failure')
    expect(result.message).toContain('exit code 0')
  })

  it.each(green)('killed, whatever was reported before: %s %s', (runner, name) => {
    const result = judgeCase(runner, name, { exit: { reason: 'signalled', code: null, signal: 'SIGKILL' } })
    expect(result.status).toBe('crash')
  })

  // What go and cargo say of a package is whole in itself: only the exit code tells that further ones are missing.
  const ending = green.filter(([runner]) => runner !== 'go' && runner !== 'cargo')
  it.each(ending)('broken off before its end: %s %s', (runner, name) => {
    const { stdout, stderr, reports } = readCase(runner, name)
    for (const part of [0.1, 0.3, 0.5, 0.7]) {
      const short = (text: string): string => text.slice(0, text.trimEnd().length * part)
      const left = reports?.map(({ path, text }) => ({ path, text: short(text ?? '') }))
      const rest = left === undefined ? {} : { reports: left }
      const cut = judgeCase(runner, name, {
        parser: runner as ParserName,
        stdout: short(stdout),
        stderr: short(stderr),
        ...rest,
      })
      expect(cut.status).not.toBe('pass')
    }
  })
})
