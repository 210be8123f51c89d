import { describe, expect, it } from 'vitest'
import type { CheckResult } from '../../../src/proof/results/check-result.ts'
import { findingsOf } from '../../../src/proof/results/faults.ts'
import { type CheckOutput, judgeOutput } from '../../../src/proof/results/judge-output.ts'
import { judgeCase, readCase } from './cases.ts'

const exited = (code: number): CheckOutput['exit'] => ({ reason: 'exited', code, signal: null })
const places = (result: CheckResult): string[] =>
  result.failures.map(({ file, line, test }) => `${file}:${line} ${test}`)

describe('a failure has its file, line and name', () => {
  const long =
    'TestALongNameThatFillsTheLineFromOneEndToTheOtherAndMoreOfItSoThatNothingIsLeft::test_with_a_long_name_too_so_that_the_heading_has_one_dash_on_each_side'
  const js = ['mixed/a.test.js', 'mixed/c.test.js']
  it.each<[string, string, string[]]>([
    ['vitest', 'mixed', [`${js[1]}:1 ${js[1]}`, `${js[0]}:2 outer > inner > takes 2`, `${js[0]}:3 throws`]],
    ['vitest', 'projects', [`${js[1]}:1 ${js[1]}`, `${js[0]}:2 outer > inner > takes 2`, `${js[0]}:3 throws`]],
    [
      'vitest',
      'mixed-json-stdout',
      [`${js[0]}:2 outer > inner > takes 2`, `${js[0]}:3 throws`, `${js[1]}:null ${js[1]}`],
    ],
    ['vitest', 'junit', [`${js[0]}:2 outer > inner > takes 2`, `${js[0]}:3 throws`, `${js[1]}:1 ${js[1]}`]],
    ['jest', 'mixed', [`${js[0]}:1 outer > inner > takes 2`, `${js[0]}:2 throws`, `${js[1]}:1 ${js[1]}`]],
    ['jest', 'mixed-json', [`${js[0]}:1 outer > inner > takes 2`, `${js[0]}:2 throws`, `${js[1]}:null ${js[1]}`]],
    ['mocha', 'broken', ['broken/c.js:1 broken/c.js']],
    [
      'mocha',
      'mixed',
      [
        'mixed/a.js:4 throws',
        'mixed/a.js:2 outer inner takes 2',
        'mixed/a.js:3 outer inner hooked "before all" hook: prepare for "needs it"',
      ],
    ],
    [
      'pytest',
      'mixed',
      [
        'mixed/test_a.py:7 TestOuter::test_takes[two]',
        'mixed/test_a.py:11 test_throws',
        'mixed/test_a.py:13 test_needs',
      ],
    ],
    ['pytest', 'traceback', [`nested/test_n.py:2 ${long}`, 'nested/test_n.py:2 test_short']],
    ['pytest', 'collection', ['mixed/test_c.py:1 mixed/test_c.py']],
    [
      'go',
      'mixed',
      [
        'example.com/shop/mixed/a_test.go:7 TestTable/two',
        'example.com/shop/mixed/a_test.go:13 TestBad',
        'broken/b_test.go:3 example.com/shop/broken',
      ],
    ],
    ['go', 'panic', ['crash/c_test.go:4 TestPanics']],
    ['cargo', 'mixed', ['src/lib.rs:5 tests::inner::throws', 'src/lib.rs:4 tests::unequal']],
    ['cargo', 'broken', ['src/lib.rs:1 compiling: cannot find function `nope` in this scope']],
    ['junit', 'node', ['b.test.js:null b.test.js', 'm.test.js:2 outer > inner > takes 2']],
  ])('%s %s', (runner, name, expected) => {
    expect(places(judgeCase(runner, name))).toEqual(expected)
  })

  it('has its error also where the stack is deep', () => {
    for (const { error } of judgeCase('pytest', 'traceback').failures) expect(error).toBe('ValueError: deep down')
  })

  it('is the same for text and JSON of one runner', () => {
    const names = (result: CheckResult) => result.failures.map(({ file, test }) => `${file} ${test}`).sort()
    for (const [runner, text, json] of [
      ['vitest', 'mixed', 'mixed-json-stdout'],
      ['jest', 'mixed', 'mixed-json'],
      ['mocha', 'mixed', 'mixed-json'],
    ] as const)
      expect(names(judgeCase(runner, text))).toEqual(names(judgeCase(runner, json)))
  })
})

describe('the names of passed tests', () => {
  it.each<[string, string, string[]]>([
    ['vitest', 'green-json', ['outer > inner > adds', 'adds', 'takes 1', 'alone']],
    ['vitest', 'projects', ['outer > inner > adds', 'adds', 'alone']],
    ['jest', 'single-verbose', ['outer > inner > adds', 'adds', 'takes 2']],
    ['mocha', 'green', ['outer inner adds', 'adds', 'alone']],
    ['pytest', 'verbose', ['TestOuter::TestInner::test_adds', 'test_adds', 'test_takes', 'test_takes[2]']],
    ['go', 'green-verbose', ['TestAdd', 'TestAdd/inner/one_and_one']],
    ['cargo', 'green', ['tests::inner::adds', 'adds', 'panics', 'whole']],
    ['junit', 'node', ['outer > inner > adds', 'adds']],
  ])('%s %s', (runner, name, expected) => {
    expect(judgeCase(runner, name).passed).toEqual(expect.arrayContaining(expected))
  })

  it('hold no test that failed', () => {
    expect(judgeCase('go', 'mixed-verbose').passed).not.toContain('TestTable')
    expect(judgeCase('jest', 'mixed-json').passed).not.toContain('throws')
  })

  it.each([
    ['vitest', 'green'],
    ['jest', 'green'],
    ['pytest', 'green'],
    ['go', 'green'],
    ['cargo', 'quiet'],
  ])('are unknown where they are not all told: %s %s', (runner, name) => {
    expect(judgeCase(runner, name).passed).toBeNull()
  })
})

describe('several reports in one output', () => {
  const outputs = (...cases: [string, string][]): string =>
    cases
      .map(([runner, name]) => {
        const { stdout, stderr } = readCase(runner, name)
        return `${stdout}\n${stderr}`
      })
      .join('\n')
  const judge = (stdout: string, rest: Partial<CheckOutput> = {}): CheckResult =>
    judgeOutput({ parser: 'auto', stdout, stderr: '', exit: exited(0), truncated: false, root: '/place', ...rest })

  it('all count', () => {
    const result = judge(outputs(['vitest', 'green'], ['mocha', 'green'], ['pytest', 'green'], ['vitest', 'green']))
    expect(result).toMatchObject({ status: 'pass', counts: { passed: 15, failed: 0 } })
    expect(judge(outputs(['jest', 'green'], ['cargo', 'green'], ['go', 'green'])).counts?.passed).toBe(9)
  })

  it.each<[string, string]>([
    ['mocha', 'mixed'],
    ['jest', 'mixed'],
    ['go', 'mixed'],
    ['pytest', 'mixed'],
    ['cargo', 'mixed'],
    ['vitest', 'mixed'],
  ])('one red one makes them red, first or last: %s', (runner, name) => {
    const { failed } = judgeCase(runner, name).counts!
    for (const text of [outputs([runner, name], ['vitest', 'green']), outputs(['vitest', 'green'], [runner, name])])
      expect(judge(text)).toMatchObject({ status: 'test-failure', counts: { failed } })
  })

  it('one that broke off makes them red', () => {
    expect(judge(outputs(['pytest', 'exits'], ['vitest', 'green'])).status).toBe('crash')
    expect(judge(outputs(['cargo', 'crash'], ['pytest', 'green'])).status).toBe('crash')
  })

  const lane = (name: string, text: string): string[] => text.split('\n').map((line) => `${name}${line}`)
  const mixed = (left: string[], right: string[]): string =>
    left.flatMap((line, index) => (right[index] === undefined ? [line] : [line, right[index]])).join('\n')

  it.each([
    ['turbo', 'web:test: ', '@shop/api:test: '],
    ['pnpm', 'packages/web test: ', 'packages/api test: '],
    ['concurrently', '[0] ', '[1] '],
  ])('of packages that ran side by side are told apart: %s', (_, one, other) => {
    const green = outputs(['vitest', 'green'])
    const text = mixed(lane(one, green), lane(other, outputs(['mocha', 'green'])))
    expect(judge(text)).toMatchObject({ status: 'pass', counts: { passed: 8 } })
    const red = mixed(lane(one, outputs(['vitest', 'mixed'])), lane(other, green))
    expect(judge(red)).toMatchObject({ status: 'test-failure', counts: { failed: 3 } })
  })
})

describe('reports in files', () => {
  const left = (name: string, text: string): Partial<CheckOutput> => ({
    report: 'out/*.xml',
    reports: [{ path: name, text }],
  })
  const green = readCase('vitest', 'green')
  const xml = '<testsuites><testsuite name="a"><testcase name="x" classname="y"/></testsuite></testsuites>'

  it.each<[string, Partial<CheckOutput>, CheckResult['status'], RegExp]>([
    ['none', { report: 'out/*.xml', reports: [] }, 'crash', /left no report at out\/\*\.xml/],
    ['empty', left('out/a.xml', ''), 'crash', /the report out\/a\.xml is not complete: it is empty/],
    ['cut', left('out/a.xml', xml.slice(0, 60)), 'crash', /the report out\/a\.xml is not complete: its XML/],
    ['no XML', left('out/a.xml', 'nothing here'), 'crash', /is of no format that is known/],
    ['cut JSON', left('a.json', '{"numTotalTestSuites":4,"numTo'), 'crash', /its JSON broke off/],
    ['no tests', left('out/a.xml', '<testsuites></testsuites>'), 'no-tests', /no test was executed/],
    ['an empty tag', left('out/a.xml', '<testsuites/>'), 'no-tests', /no test was executed/],
    ['green', left('out/a.xml', xml), 'pass', /1 tests passed/],
    [
      'green and cut',
      {
        report: 'x',
        reports: [
          { path: 'a', text: xml },
          { path: 'b', text: xml.slice(0, 50) },
        ],
      },
      'crash',
      /the report b is not complete/,
    ],
    [
      'suites that failed without a test',
      left('a.xml', '<testsuite errors="1"><testcase name="x"/></testsuite>'),
      'test-failure',
      /1 of 2/,
    ],
  ])('%s', (_, rest, status, message) => {
    const result = judgeOutput({ ...green, ...rest })
    expect(result.status).toBe(status)
    expect(result.message).toMatch(message)
  })

  it('decide the figures, and not instead of the exit code', () => {
    const output = { ...green, ...left('a.xml', xml) }
    expect(judgeOutput(output)).toMatchObject({ runner: 'junit', counts: { passed: 1 } })
    expect(judgeOutput({ ...output, exit: exited(1) }).status).toBe('crash')
  })

  it('do not hide failures that were printed', () => {
    const result = judgeOutput({ ...readCase('vitest', 'mixed'), exit: exited(0), ...left('a.xml', xml) })
    expect(result).toMatchObject({ status: 'test-failure', counts: { failed: 3 } })
  })

  it('that nobody asked for are welcome, and not missed', () => {
    expect(judgeOutput({ ...green, reports: [{ path: 'a', text: xml }] }).runner).toBe('junit')
    expect(judgeOutput({ ...green, reports: [] }).runner).toBe('vitest')
    expect(judgeOutput({ ...green, parser: 'exit-code', reports: [{ path: 'a', text: '' }] }).status).toBe('pass')
  })

  it('tell a command that left none because it could not run', () => {
    const result = judgeOutput({
      ...green,
      stdout: '',
      stderr: 'sh: vitest: not found',
      exit: exited(127),
      report: 'a',
    })
    expect(result.message).toBe('the check left no report at a (the command could not be run (exit code 127))')
  })

  it('read what XML may hold', () => {
    const text = `<?xml version="1.0"?><!-- a > b --><testsuite name='s "q"' tests="3"><properties/>
      <testcase name="a &lt; b &#x41;&amp;" classname="c"><failure message="x &gt; y"><![CDATA[<testcase name="no"/> at a.py:3]]></failure></testcase>
      <testcase name="b" classname="c"><flakyFailure message="once"/><system-out><![CDATA[</testsuite>]]></system-out></testcase>
      <testcase name="d" classname="c"><skipped/></testcase></testsuite>`
    const result = judgeOutput({ ...green, exit: exited(1), ...left('a.xml', text) })
    expect(result.counts).toEqual({ total: 3, passed: 1, failed: 1, skipped: 1 })
    expect(result.failures[0]).toMatchObject({ file: 'a.py', line: 3, test: 'c > a < b A&', error: 'x > y' })
  })
})

describe('what else may come', () => {
  it('a runner that waits is told so', () => {
    for (const runner of ['vitest', 'jest', 'mocha'])
      expect(judgeCase(runner, 'watch').message).toContain('waits for changes instead of ending')
  })

  it('bytes that are no text', () => {
    const broken = Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a]).toString('utf8')
    for (const [runner, name] of [
      ['vitest', 'green'],
      ['go', 'green-json'],
      ['pytest', 'green'],
    ] as const) {
      const { stdout, stderr } = readCase(runner, name)
      expect(judgeCase(runner, name, { stdout: `${broken}${stdout}${broken}`, stderr }).status).toBe('pass')
    }
  })

  it('a runner named by its command that breaks off', () => {
    const stdout = '\n  d\n    ✔ ok\n'
    const output = { ...readCase('mocha', 'exits'), stdout, stderr: '' }
    expect(judgeOutput({ ...output, command: 'npx mocha test' }).status).toBe('crash')
    expect(judgeOutput({ ...output, command: 'make lint' })).toMatchObject({ status: 'no-tests', silent: true })
  })

  it.each([
    ['next build', ' ✓ Compiled successfully\n ✓ Generating static pages (5/5)\n'],
    ['vite build', '✓ 34 modules transformed.\ndist/a.js 1 kB\n✓ built in 1.2s\n'],
    ['vitest bench', ' RUN  v4.1.12 /place\n\n ✓ a.bench.js 466ms\n\n BENCH  Summary\n\n  x - a.bench.js\n'],
    ['a compiler', 'Compiling\n0 errors in 1.2s\n'],
    ['a linter', 'PASS all rules\nFAIL 0\n12 passed\nTests: none\n'],
    ['a script', '  Checking\n    ✓ one\n    ✓ two\nrunning 3 tests in total, ok\n'],
  ])('a command that is no test runner tells of no test: %s', (_, stdout) => {
    const output = { ...readCase('mocha', 'exits'), stdout, stderr: '' }
    expect(judgeOutput(output)).toMatchObject({ status: 'no-tests', silent: true, counts: null })
    const named = { ...output, parser: 'exit-code' as const }
    expect(judgeOutput(named)).toMatchObject({ status: 'pass', runner: 'exit-code', counts: null })
  })

  it.each([
    ['3 passed, 1 skipped in 1.11s\n', 0, 'pass'],
    ['...sx    [100%]\n3 passed, 1 skipped, 1 xfailed in 1.11s\n', 0, 'pass'],
    ['\nno tests ran in 0.64s\n', 5, 'no-tests'],
  ])('pytest -q: %j', (stdout, code, status) => {
    expect(judgeOutput({ ...readCase('mocha', 'exits'), stdout, stderr: '', exit: exited(code) }).status).toBe(status)
  })

  it('another runner than the one that was named', () => {
    expect(judgeCase('vitest', 'green', { parser: 'pytest' }).message).toContain('no report of pytest')
  })

  it('a category for the coder', () => {
    const category = (runner: string, name: string) => findingsOf(judgeCase(runner, name), 'test')[0]!.message
    expect(category('vitest', 'broken')).toMatch(/^import: /)
    expect(category('pytest', 'broken')).toMatch(/^import: /)
    expect(category('go', 'broken')).toMatch(/^missing symbol: /)
    expect(category('cargo', 'broken')).toMatch(/^missing symbol: /)
    expect(category('cargo', 'mixed')).toMatch(/^test: /)
  })
})
