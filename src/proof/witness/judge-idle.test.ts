import { expect, it } from 'vitest'
import type { CheckResult } from '../results/check-result.ts'
import { areIdle } from './judge-tries.ts'

const own = { files: ['tests/test_tax.py'], names: ['test_tax'] }
const fails = (test: string) => ({ file: null, line: null, test, error: '', stack: '' })
const result = (more: Partial<CheckResult>): CheckResult => ({
  status: 'test-failure',
  runner: 'pytest',
  counts: { total: 2, passed: 1, failed: 1, skipped: 0 },
  failures: [fails('tests/test_sum.py::test_sum')],
  hollow: [],
  passed: null,
  message: '',
  tail: '',
  ...more,
})

it.each<[boolean, string, Partial<CheckResult>]>([
  [true, 'all pass', { status: 'pass', failures: [] }],
  [false, 'nobody tells of a test', { status: 'pass', failures: [], counts: null }],
  [true, 'others fail, and they are told to pass', { passed: ['test_tax'] }],
  [false, 'what passes is told, and they are not there', { passed: ['test_more'] }],
  [true, 'others fail, and as many run as before', {}],
  [false, 'one of them fails', { failures: [fails('tests/test_tax.py::test_tax')] }],
  [false, 'fewer run than before', { counts: { total: 1, passed: 0, failed: 1, skipped: 0 } }],
  [false, 'not all that failed are named', { counts: { total: 2, passed: 0, failed: 2, skipped: 0 } }],
  [false, 'a panic may have ended the rest', { runner: 'go' }],
])('idle is %s where %s', (idle, _, more) => {
  expect(areIdle(result(more), own, 2)).toBe(idle)
})
