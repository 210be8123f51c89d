import { describe, expect, it } from 'vitest'
import type { CheckResult, TestFailure } from '../results/check-result.ts'
import { redFindings } from './judge-red.ts'
import type { Witness } from './judge-witness.ts'

const failure = (test: string, error = 'expected 1 to be 2'): TestFailure => ({
  file: 'test/a.test.ts',
  line: 1,
  test,
  error,
  stack: '',
})

const result = (status: CheckResult['status'], failures: TestFailure[] = [], passed: string[] = []): CheckResult => ({
  status,
  runner: 'tap',
  counts: { total: failures.length + passed.length, passed: passed.length, failed: failures.length, skipped: 0 },
  failures,
  hollow: [],
  passed,
  message: status,
  tail: '',
})

const written = (onBase: CheckResult, added: string[]): Witness => ({
  files: ['test/a.test.ts'],
  tests: { added, changed: [], same: ['was there'] },
  onBase,
})

const told = (...witnesses: Witness[]) =>
  redFindings(witnesses, ['express', '@acme/kit']).map(({ severity, message }) => `${severity}: ${message}`)

const unloaded = (error: string) => written(result('build-error', [failure('test/a.test.ts', error)]), ['adds'])

describe('tests that are written before the code', () => {
  it('are red when they fail, and what failed is told with how', () => {
    const [finding] = redFindings([written(result('test-failure', [failure('adds')]), ['adds'])], [])
    expect(finding).toMatchObject({
      source: 'red',
      severity: 'note',
      file: 'test/a.test.ts',
      message: 'red, as it should be, without the code: "adds"',
      evidence: 'adds: expected 1 to be 2',
    })
  })

  it('are red when something is missing that is still to be written', () => {
    for (const error of [
      "Cannot find module '/tmp/x/src/tax.js' imported from /tmp/x/test/a.test.ts",
      "The requested module '../src/sum.mjs' does not provide an export named 'tax'",
      "ModuleNotFoundError: No module named 'shop.tax'",
      './a_test.go:7:9: undefined: Tax',
      'ReferenceError: tax is not defined',
      "Cannot find module '@acme/kit/tax' from 'test/a.test.ts'",
    ])
      expect(told(unloaded(error))).toEqual(['note: red, as it should be, without the code: "adds"'])
  })

  it('are not red when they cannot be loaded for another reason', () => {
    for (const error of [
      "SyntaxError: Unexpected token '}'",
      'ReferenceError: describe is not defined',
      "Cannot find package 'express' imported from /tmp/x/test/a.test.ts",
      "Cannot find module '@acme/kit'",
      'no luck',
    ])
      expect(told(unloaded(error))).toEqual([expect.stringMatching(/^blocking: no test in .* could be executed/)])
    expect(told(written(result('no-tests'), []))).toEqual([expect.stringMatching(/^blocking: no test .* no-tests$/)])
  })

  it('are not red when each fails for want of its own', () => {
    const faults = [failure('adds', "E fixture 'shop' not found"), failure('keeps', 'expect is not defined')]
    expect(told(written(result('test-failure', faults), ['adds', 'keeps']))).toEqual([
      expect.stringMatching(/^blocking: no test .* fixture 'shop' not found$/),
    ])
    const honest = [...faults, failure('taxes', 'tax is not defined')]
    expect(told(written(result('test-failure', honest), ['adds', 'keeps', 'taxes']))).toEqual([
      expect.stringMatching(/^note: red/),
    ])
  })

  it('are sent back by name when they pass already', () => {
    expect(told(written(result('pass', [], ['adds', 'was there']), ['adds']))).toEqual([
      'blocking: the test "adds" already passes, before any code is written',
    ])
    const unread = { ...result('pass'), counts: null }
    expect(told(written(unread, ['adds']))).toEqual([
      'blocking: the tests in test/a.test.ts already pass, before any code is written',
    ])
  })

  it('may have guards among them that pass, as long as another fails', () => {
    const some = written(result('test-failure', [failure('adds')], ['keeps']), ['adds', 'keeps'])
    expect(told(some)).toEqual([
      expect.stringMatching(/^note: red/),
      'suggestion: the test "keeps" already passes, before any code is written',
    ])
    expect(told(some, written(result('pass', [], ['guards']), ['guards'])).at(-1)).toMatch(/^suggestion: .*"guards"/)
  })

  it('are not red by what failed before them', () => {
    expect(told(written(result('test-failure', [failure('was there')], ['adds']), ['adds']))).toEqual([
      'blocking: the test "adds" already passes, before any code is written',
    ])
  })
})
