import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { brokenInBoth, subtractBaseline } from './baseline.ts'
import type { CheckResult } from './check-result.ts'
import { findingsOf } from './faults.ts'
import { type CheckOutput, judgeOutput } from './judge-output.ts'

const exited = (code: number): CheckOutput['exit'] => ({ reason: 'exited', code, signal: null })
const judge = (stdout: string, rest: Partial<CheckOutput> = {}): CheckResult =>
  judgeOutput({ parser: 'auto', stdout, stderr: '', exit: exited(0), truncated: false, root: '/tmp/rt', ...rest })
const fixture = (name: string): string => readFileSync(`test/fixtures/results/${name}.txt`, 'utf8')
const tapOf = (...lines: string[]): string => ['TAP version 13', ...lines, ''].join('\n')

describe.each(['spec', 'tap'])('what node --test prints as %s', (reporter) => {
  const run = (name: string, code: number) => judge(fixture(`${name}.${reporter}`), { exit: exited(code) })

  it('failures with their file, line, error and stack; todo and skipped tests are none', () => {
    const result = run('mixed', 1)
    expect(result).toMatchObject({ status: 'test-failure', runner: 'node:test' })
    expect(result.counts).toEqual({ total: 7, passed: 3, failed: 2, skipped: 2 })
    expect(result.failures.map(({ file, line, test }) => ({ file, line, test }))).toEqual([
      { file: 'mixed.test.mjs', line: 4, test: 'fails hard' },
      { file: 'mixed.test.mjs', line: 9, test: 'inner bad' },
    ])
    expect(result.failures[0]!.error).toContain('Expected values to be strictly equal')
    expect(result.failures[1]!.stack).toContain('mixed.test.mjs:9:33')
  })

  it('passes in spite of noise that looks like failures', () => {
    expect(run('green', 0)).toMatchObject({ status: 'pass', counts: { passed: 2, failed: 0 } })
  })

  it.each(['allskip', 'none', 'exit'])('executes no test: %s', (name) => {
    expect(run(name, 0).status).toBe('no-tests')
  })

  it.each([
    ['syntax', 'SyntaxError: Unexpected end of input', 'syntax: '],
    ['missing', "does not provide an export named 'nope'", 'import: '],
  ])('cannot load a file: %s', (name, cause, category) => {
    const result = run(name, 1)
    expect(result.status).toBe('build-error')
    const [finding] = findingsOf(result, 'test')
    expect(finding!.evidence).toContain(cause)
    expect(finding!.message.startsWith(category)).toBe(true)
  })

  it('names files that cannot be loaded or die, with their cause, beside tests that ran', () => {
    const result = run('files', 1)
    expect(result).toMatchObject({ status: 'test-failure', counts: { passed: 4, failed: 2 } })
    expect(result.failures.map(({ file, test }) => ({ file, test }))).toEqual([
      { file: 'test/b.test.mjs', test: 'test/b.test.mjs' },
      { file: 'test/e.test.mjs', test: 'test/e.test.mjs' },
    ])
    expect(findingsOf(result, 'test')[0]!.message).toContain("does not provide an export named 'nope'")
    if (reporter === 'tap') expect(result.failures[1]!.error).toContain('SIGKILL')
  })

  it('knows the files in which nothing was tested', () => {
    expect(run('files', 1).hollow).toEqual(['test/c.test.mjs', 'test/support/six.js'])
  })

  it('counts cancelled tests as failed', () => {
    expect(run('async', 1)).toMatchObject({ status: 'test-failure', counts: { failed: 2, passed: 1 } })
  })

  it('fails with failures in the report and exit code 0', () => {
    expect(run('mixed', 0).status).toBe('test-failure')
  })

  it('does not pass with exit code 1 and every test green', () => {
    const result = run('green', 1)
    expect(result).toMatchObject({ status: 'crash' })
    expect(result.message).toContain('although every reported test passed')
  })

  it.each([0.3, 0.6, 0.9])('does not pass when the report breaks off after %d of it', (part) => {
    const text = fixture(`green.${reporter}`)
    const result = judge(text.slice(0, text.length * part), { parser: 'node:test' })
    expect(result.status).not.toBe('pass')
  })
})

describe('TAP', () => {
  it.each<[string, string, number, CheckResult['status']]>([
    ['passes', tapOf('ok 1 - a', 'ok 2 - b', '1..2'), 0, 'pass'],
    ['plan first', tapOf('1..1', 'ok 1 - a'), 0, 'pass'],
    ['without version line', '1..1\nok 1 - a\n', 0, 'pass'],
    ['two runs', tapOf('ok 1 - a', '1..1') + tapOf('ok 1 - b', 'ok 2 - c', '1..2'), 0, 'pass'],
    ['two runs without version lines', 'ok 1 a\n1..1\nok 1 b\nok 2 c\n1..2\n', 0, 'pass'],
    [
      'a failure in the first of two runs',
      tapOf('not ok 1 - a', '1..1') + tapOf('ok 1 - b', '1..1'),
      0,
      'test-failure',
    ],
    ['fails', tapOf('ok 1 - a', 'not ok 2 - b', '1..2'), 1, 'test-failure'],
    ['todo may fail', tapOf('ok 1 - a', 'not ok 2 - b # TODO later', '1..2'), 0, 'pass'],
    ['only todo', tapOf('not ok 1 - b # TODO later', '1..1'), 0, 'no-tests'],
    ['only skipped', tapOf('ok 1 - b # SKIP no network', '1..1'), 0, 'no-tests'],
    ['skipped as a whole', tapOf('1..0 # SKIP nothing here'), 0, 'no-tests'],
    ['a hash in a name', tapOf('not ok 1 - issue \\# todo list', '1..1'), 1, 'test-failure'],
    ['missing plan', tapOf('ok 1 - a'), 0, 'crash'],
    ['fewer than planned', tapOf('1..3', 'ok 1 - a'), 0, 'crash'],
    ['more than planned', tapOf('1..1', 'ok 1 - a', 'ok 2 - b'), 0, 'crash'],
    ['bail out', tapOf('1..1', 'ok 1 - a', 'Bail out! database gone'), 0, 'crash'],
    ['version only', tapOf(), 0, 'crash'],
    ['noise out of order', tapOf('ok 1 - a', 'not ok 9 - printed by a test', 'ok 2 - b', '1..2'), 0, 'pass'],
    [
      'noise in order, where the runner sums up itself',
      tapOf('not ok 1 - printed', 'ok 1 - a', '1..1', '# tests 1', '# pass 1', '# fail 0', '# duration_ms 5'),
      0,
      'pass',
    ],
    ['noise without a number', tapOf('ok 1 - a', 'not ok at all, said the test', 'ok 2 - b', '1..2'), 0, 'pass'],
    [
      'a not ok inside a diagnostic',
      tapOf('ok 1 - a', '  ---', '  got: |-', '    not ok 2 - x', '  ...', '1..1'),
      0,
      'pass',
    ],
    [
      'a failed subtest',
      tapOf('    ok 1 - x', '    not ok 2 - y', '    1..2', 'not ok 1 - s', '1..1'),
      1,
      'test-failure',
    ],
  ])('%s', (_, text, code, status) => {
    expect(judge(text, { exit: exited(code) }).status).toBe(status)
  })

  it('counts the leaves of subtests and names the failed ones', () => {
    const result = judge(tapOf('    ok 1 - x', '    not ok 2 - y', '    1..2', 'not ok 1 - s', 'ok 2 - z', '1..2'))
    expect(result.counts).toEqual({ total: 3, passed: 2, failed: 1, skipped: 0 })
    expect(result.failures.map((failure) => failure.test)).toEqual(['y'])
  })

  it('takes the figures at the end when the middle was cut, and only then', () => {
    const summary = ['1..900', '# tests 900', '# pass 900', '# fail 0', '# duration_ms 5']
    const text = tapOf('ok 1 - a', 'ok 899 - y', 'ok 900 - z', ...summary)
    expect(judge(text, { truncated: true })).toMatchObject({ status: 'pass', counts: { passed: 900 } })
    expect(judge(text).status).toBe('crash')
    expect(judge(tapOf('ok 1 - a', 'ok 9 - z', '1..9'), { truncated: true }).status).toBe('crash')
  })

  it('reads a large report in one pass', () => {
    const points = Array.from({ length: 100_000 }, (_, i) => `ok ${i + 1} - ${'# '.repeat(20)}${i}`)
    expect(judge(tapOf(...points, '1..100000')).counts?.passed).toBe(100_000)
  })
})

describe('any other command', () => {
  it.each<[string, Partial<CheckOutput> & { stdout?: string }, CheckResult['status']]>([
    ['silent success', {}, 'no-tests'],
    ['a file of pytest that is skipped as a whole', { stdout: '\n1 skipped in 0.96s\n', exit: exited(5) }, 'no-tests'],
    ['noisy success', { stdout: 'Error: nothing\nFAIL 3\nok then\n' }, 'no-tests'],
    ['a target that make takes for a file', { stdout: "make: 'test' is up to date.\n" }, 'no-tests'],
    ['silent success that is all there is to it', { parser: 'exit-code' }, 'pass'],
    ['a failure', { stdout: '3 problems', exit: exited(1) }, 'test-failure'],
    ['a type error', { stdout: "a.ts(1,2): error TS2304: Cannot find name 'x'.", exit: exited(2) }, 'build-error'],
    ['not found', { stderr: 'sh: nope: not found', exit: exited(127) }, 'crash'],
    ['out of memory', { exit: exited(137) }, 'crash'],
    ['a signal', { exit: { reason: 'signalled', code: null, signal: 'SIGKILL' } }, 'crash'],
    ['too late', { exit: { reason: 'timeout', code: null, signal: 'SIGKILL' } }, 'timeout'],
    ['silent for long', { exit: { reason: 'idle', code: null, signal: null } }, 'timeout'],
    ['aborted', { exit: { reason: 'aborted', code: 0, signal: null } }, 'crash'],
    ['not there', { exit: { reason: 'not-found', code: null, signal: null } }, 'crash'],
    ['a test runner that says nothing', { parser: 'node:test' }, 'no-tests'],
    ['TAP that never came', { parser: 'tap', stdout: 'all good' }, 'no-tests'],
    ['a report nobody is to read', { parser: 'exit-code', stdout: tapOf('not ok 1 - a', '1..1') }, 'pass'],
  ])('%s', (_, output, status) => {
    expect(judge(output.stdout ?? '', output).status).toBe(status)
  })

  it('says what to do where no test is told of', () => {
    expect(judge('', { name: 'lint' })).toMatchObject({
      silent: true,
      message: 'the output of "lint" tells of no test. If it is not meant to, say so: checks.lint.parser: exit-code',
    })
  })

  it('has figures for comparison where the exit code decides, and tests are told of', () => {
    const told = (stdout: string) => judge(stdout, { parser: 'exit-code' })
    const counts = { total: 2, passed: 2, failed: 0, skipped: 0 }
    expect(told(tapOf('ok 1 - a', 'ok 2 - b', '1..2'))).toMatchObject({ status: 'pass', runner: 'exit-code', counts })
    expect(told(tapOf('not ok 1 - a', '1..1'))).toMatchObject({ status: 'pass', counts: null })
  })

  it('a timeout does not become a pass because the report was green', () => {
    const result = judge(fixture('green.spec'), { exit: { reason: 'timeout', code: null, signal: 'SIGKILL' } })
    expect(result.status).toBe('timeout')
  })
})

describe('findingsOf', () => {
  it('keeps the fingerprint when lines and durations change', () => {
    const text = fixture('mixed.spec')
    const moved = text.replaceAll('mjs:4:', 'mjs:44:').replaceAll('1.389572ms', '9.111111ms')
    const prints = (one: string) => findingsOf(judge(one, { exit: exited(1) }), 'test').map((f) => f.fingerprint)
    expect(prints(moved)).toEqual(prints(text))
    expect(new Set(prints(text)).size).toBe(2)
  })

  it('is bounded, and says how many more', () => {
    const points = Array.from({ length: 50 }, (_, i) => [
      `not ok ${i + 1} - t${i}`,
      '  ---',
      `  error: '${'x'.repeat(9000)}'`,
      '  ...',
    ])
    const findings = findingsOf(judge(tapOf(...points.flat(), '1..50'), { exit: exited(1) }), 'test')
    expect(findings).toHaveLength(21)
    expect(findings.at(-1)!.message).toContain('30 more')
    expect(Math.max(...findings.map((finding) => finding.evidence.length))).toBeLessThan(5_000)
  })

  it('shows the output of what has no structure', () => {
    const [finding] = findingsOf(judge('', { stderr: 'sh: 1: nope: not found', exit: exited(127) }), 'lint')
    expect(finding).toMatchObject({ source: 'check:lint', rule: 'check-crashed', fixTarget: 'environment' })
    expect(finding!.evidence).toContain('nope: not found')
  })

  it('says nothing about a pass', () => {
    expect(findingsOf(judge('', { parser: 'exit-code' }), 'lint')).toEqual([])
  })
})

describe('subtractBaseline', () => {
  const at = (test: string) => [`not ok %n - ${test}`, '  ---', `  location: '/tmp/rt/${test}.test.js:1:1'`, '  ...']
  const report = (...tests: string[]) =>
    judge(
      tapOf(
        'ok 1 - fine',
        ...tests.flatMap((test, i) => at(test).map((line) => line.replace('%n', String(i + 2)))),
        `1..${tests.length + 1}`,
      ),
      { exit: exited(1) },
    )

  it('charges only what the base does not have', () => {
    const { result, known } = subtractBaseline(report('a', 'b'), report('a'))
    expect(known.map((failure) => failure.test)).toEqual(['a'])
    expect(result).toMatchObject({ status: 'test-failure', counts: { failed: 1 } })
    expect(result.failures.map((failure) => failure.test)).toEqual(['b'])
  })

  it('passes when nothing is left', () => {
    expect(subtractBaseline(report('a'), report('a', 'b')).result.status).toBe('pass')
  })

  it('excuses nothing that the base fails only now and then', () => {
    const flaked = brokenInBoth(report('a', 'b'), report('b'))
    expect(subtractBaseline(report('a'), flaked).known).toEqual([])
    expect(subtractBaseline(report('b'), flaked).result.status).toBe('pass')
  })

  it('never excuses a crash, a build error, a timeout or an exit code', () => {
    const crash = judge(tapOf('ok 1 - a', 'not ok 2 - b'), { exit: exited(1) })
    expect(subtractBaseline(crash, crash).result.status).toBe('crash')
    const broken = judge(fixture('syntax.spec'), { exit: exited(1) })
    expect(subtractBaseline(broken, broken).result.status).toBe('build-error')
    const lint = judge('3 problems', { exit: exited(1) })
    expect(subtractBaseline(lint, lint).result.status).toBe('test-failure')
  })

  it('does not pass by a report that nobody asked for, where what it printed broke off', () => {
    const left = { reports: [{ path: '$ROPEWALK_REPORT', text: '<testsuite><testcase name="a"/></testsuite>' }] }
    const short = tapOf('ok 1 - a')
    expect(judge(short, { ...left, command: 'npm test' }).status).toBe('crash')
    expect(judge(short, { ...left, command: 'npm test', report: 'out/*.xml' }).status).toBe('pass')
    expect(judge(short, { ...left, command: 'tap --to="$ROPEWALK_REPORT"' }).status).toBe('pass')
    expect(judge('', { ...left, command: 'npm test' }).status).toBe('pass')
  })

  it('does not excuse two failures of one name by one on the base', () => {
    const [once, twice] = [
      ['not ok 1 - a', 'ok 2 - b'],
      ['not ok 1 - a', 'not ok 2 - a', 'ok 3 - b'],
    ].map((lines) => judge(tapOf(...lines, `1..${lines.length}`), { exit: exited(1) }))
    expect(subtractBaseline(twice!, once!)).toMatchObject({
      result: { status: 'test-failure' },
      known: [{ test: 'a' }],
    })
    expect(subtractBaseline(twice!, twice!).result.status).toBe('pass')
  })

  it('does not pass where one of its reports could not be read', () => {
    const green = { path: 'a.xml', text: '<testsuite><testcase name="a"/></testsuite>' }
    expect(judge('', { reports: [green] }).status).toBe('pass')
    expect(judge('', { reports: [green, { path: 'b.xml', text: null }] })).toMatchObject({
      status: 'crash',
      message: expect.stringContaining('b.xml is not complete: it is too long'),
    })
  })
})
