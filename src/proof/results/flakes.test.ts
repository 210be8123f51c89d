import { describe, expect, it } from 'vitest'
import { mayBeFlakes, steadyFailures, withoutQuarantined } from './baseline.ts'
import type { CheckResult, TestFailure } from './check-result.ts'

const failure = (test: string, file: string | null = 'test/a.test.ts'): TestFailure => ({
  file,
  line: 1,
  test,
  error: 'no',
  stack: '',
})

const red = (failures: TestFailure[], passed = 3): CheckResult => ({
  status: 'test-failure',
  runner: 'tap',
  counts: { total: failures.length + passed, passed, failed: failures.length, skipped: 0 },
  failures,
  hollow: [],
  passed: null,
  message: 'failed',
  tail: '',
})

describe('a test in quarantine', () => {
  const apart = (result: CheckResult, patterns: string[], changedFiles: string[] = []) =>
    withoutQuarantined(result, { patterns, changedFiles })

  it('is not charged, whatever stands for the star, and the others are', () => {
    const mixed = apart(red([failure('net: is (slow)'), failure('adds')]), ['net: *'])
    expect(mixed).toMatchObject({ aside: [{ test: 'net: is (slow)' }], result: { status: 'test-failure' } })
    expect(mixed.result.failures.map(({ test }) => test)).toEqual(['adds'])
    expect(apart(red([failure('net: is (slow)')]), ['net: is (slow)'])).toMatchObject({ result: { status: 'pass' } })
  })

  it('is charged in a file that the story changed, in a file that nobody knows, and when nothing else was tested', () => {
    expect(apart(red([failure('x')]), ['x'], ['test/a.test.ts']).aside).toEqual([])
    expect(apart(red([failure('TestX', 'example.org/m/net/a_test.go')]), ['*'], ['net/a_test.go']).aside).toEqual([])
    expect(apart(red([failure('x', null)]), ['x']).aside).toEqual([])
    expect(apart(red([failure('x')], 0), ['x']).result.status).toBe('test-failure')
    expect(apart({ ...red([failure('x')]), status: 'crash' }, ['*']).result.status).toBe('crash')
    expect(apart(red([failure('axb')]), ['a.b']).aside).toEqual([])
  })
})

it('tells what fails each time from what fails sometimes', () => {
  const runs = [red([failure('a'), failure('b')]), red([failure('a'), failure('c')])]
  const { steady, flaky } = steadyFailures(runs)
  expect(steady.map(({ test }) => test)).toEqual(['a'])
  expect(flaky.map(({ test }) => test)).toEqual(['b', 'c'])
})

describe('a failure that may be a flake', () => {
  const changed = (path: string, before: string, after: string) => {
    const modes = { oldMode: '100644', newMode: '100644' }
    return { path, oldPath: null, status: 'modified' as const, binary: false, ...modes, before, after }
  }
  const old = "test('old', () => equal(old(), 1))\n"
  const product = changed('src/a.js', 'export const a = 1', 'export const a = 2')
  const tests = changed('test/a.test.ts', old, `${old}test('new', () => equal(fresh(), 1))\n`)

  it('is one of a test that the change left as it was, also in a file that it has changed', () => {
    expect(mayBeFlakes([failure('old')], [product])).toBe(true)
    expect(mayBeFlakes([failure('old')], [product, tests])).toBe(true)
  })

  it.each<[string, TestFailure[]]>([
    ['of a new test', [failure('new')]],
    ['beside one of a new test', [failure('old'), failure('new')]],
    ['of a test whose file nobody knows', [failure('old', null)]],
    ['without a test', []],
  ])('is none %s', (_, failures) => expect(mayBeFlakes(failures, [product, tests])).toBe(false))
})
