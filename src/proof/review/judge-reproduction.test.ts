import { describe, expect, it } from 'vitest'
import type { CheckResult, TestFailure } from '../results/check-result.ts'
import { judgeReproduction } from './judge-reproduction.ts'

const asked = { test: 'takes it off', shows: '10 !== 7' }
const counts = (passed: number, failed: number, skipped = 0) => ({
  ...{ total: passed + failed + skipped, passed, failed, skipped },
})
const ran = (given: Partial<CheckResult>): CheckResult => ({
  ...{ status: 'pass', runner: 'node:test', counts: counts(1, 0), failures: [], hollow: [] },
  ...{ passed: ['takes it off'], message: 'as it was', tail: '' },
  ...given,
})
const failure = (given: Partial<TestFailure> = {}): TestFailure => ({
  ...{ file: 'test/x.test.mjs', line: 3, test: 'takes it off', error: 'Expected: 10 !== 7', stack: '' },
  ...given,
})
const failed = (...failures: TestFailure[]): CheckResult =>
  ran({ status: 'test-failure', counts: counts(0, failures.length), failures, passed: [] })

describe('a run of a test that was written for a finding', () => {
  it.each([
    ['fails as predicted', failed(failure()), 'confirmed'],
    ['fails as predicted, with other quotes and blanks', failed(failure({ error: "'10'  !==\n7" })), 'confirmed'],
    ['fails as predicted beside another', failed(failure({ test: 'other', error: 'x' }), failure()), 'confirmed'],
    ['passes', ran({}), 'refuted'],
    ['passes, where no names are told', ran({ passed: null }), 'refuted'],
  ])('that %s shows something', (_, result, shown) => {
    expect(judgeReproduction(result, asked).result).toBe(shown)
  })

  it.each([
    ['fails otherwise', failed(failure({ error: 'boom' })), /not as predicted/],
    ['is a file that cannot be loaded', failed(failure({ test: 'test/x.test.mjs' })), /not executed|not be loaded/],
    ['fails by its own fault', failed(failure({ error: 'ReferenceError: expect is not defined' })), /own fault/],
    ['is another one that fails', failed(failure({ test: 'other' })), /was not executed/],
    [
      'passes, while another of its file fails',
      { ...failed(failure({ test: 'other' })), passed: ['takes it off'] },
      /another test of its file fails/,
    ],
    ['fails without names', { ...failed(failure()), counts: null }, /nobody can tell/],
    ['is not among those that passed', ran({ passed: ['other'] }), /was not executed/],
    ['may be the one that was skipped', ran({ passed: null, counts: counts(1, 0, 1) }), /was not executed/],
    ['is nowhere, since only the exit code is known', ran({ counts: null, passed: null }), /does not tell/],
    ['did not end', ran({ status: 'timeout' }), /in time/],
    ['does not compile', ran({ status: 'build-error' }), /does not compile/],
    ['died', ran({ status: 'crash' }), /died/],
    ['holds none', ran({ status: 'no-tests', counts: counts(0, 0) }), /no test was executed/],
  ])('that %s shows nothing', (_, result, why) => {
    expect(judgeReproduction(result, asked)).toEqual({ result: 'inconclusive', why: expect.stringMatching(why) })
  })
})
