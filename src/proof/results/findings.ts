import type { Finding } from '../../delivery/judging/finding.ts'
import { hashOf } from '../../std/hash.ts'
import { never } from '../../std/never.ts'
import type { CheckResult, TestFailure } from './check-result.ts'
import { type Category, categoryOf } from './faults.ts'

const mostFindings = 20
const longestEvidence = 4_000

/** What the coder is told about a check that did not pass: what kind of failure, where, and the output. */
export function findingsOf(result: CheckResult, check: string): Finding[] {
  if (result.status === 'pass') return []
  const source = `check:${check}`
  const failures = result.failures.map((failure) => failedTest(failure, result, source))
  const shown = failures.slice(0, mostFindings)
  if (failures.length > shown.length) shown.push(more(failures.length - shown.length, source))
  const told = result.status === 'test-failure' || result.status === 'build-error'
  const all = told && shown.length > 0 ? shown : [asAWhole(result, source), ...shown]
  const { lack } = result
  return lack === undefined ? all : all.map((one) => ({ ...one, evidence: `${one.evidence}\n\n${lack}` }))
}

function failedTest(failure: TestFailure, result: CheckResult, source: string): Finding {
  const bare = categoryOf(failure.error) ?? 'test'
  const category = result.status === 'build-error' ? (categoryOf(result.tail) ?? bare) : bare
  const evidence = [failure.error, failure.stack, result.status === 'build-error' ? result.tail : '']
  return {
    source,
    rule: 'test-failed',
    severity: 'blocking',
    file: failure.file,
    line: failure.line,
    message: `${category}: the test "${failure.test}" failed: ${firstLine(failure.error)}`,
    evidence: cutMiddle(evidence.filter((part) => part !== '').join('\n')),
    fingerprint: hashOf([source, 'test-failed', failure.file, failure.test]),
    fixTarget: fixTargetOf(category),
  }
}

function more(count: number, source: string): Finding {
  const message = `test: ${count} more tests failed`
  return { ...plain(source, 'more-failed', message), fingerprint: hashOf([source, 'more-failed']) }
}

function asAWhole(result: CheckResult, source: string): Finding {
  const category = result.status === 'timeout' ? 'timeout' : (categoryOf(result.tail) ?? 'test')
  return {
    ...plain(source, ruleOf(result.status), `${category}: the check failed: ${result.message}`),
    evidence: cutMiddle(result.tail),
    fingerprint: hashOf([source, result.status, steady(firstError(result.tail))]),
    fixTarget: fixTargetOf(category),
  }
}

const plain = (source: string, rule: string, message: string): Finding => ({
  source,
  rule,
  severity: 'blocking',
  file: null,
  line: null,
  message,
  evidence: '',
  fingerprint: '',
  fixTarget: 'code',
})

function ruleOf(status: CheckResult['status']): string {
  switch (status) {
    case 'test-failure':
      return 'check-failed'
    case 'build-error':
      return 'build-failed'
    case 'timeout':
      return 'check-timeout'
    case 'crash':
      return 'check-crashed'
    case 'no-tests':
    case 'pass':
      return status
    default:
      return never(status)
  }
}

const fixTargetOf = (category: Category): Finding['fixTarget'] => (category === 'environment' ? 'environment' : 'code')

const firstLine = (text: string): string => (text.split('\n', 1)[0] ?? '').slice(0, 300)

const firstError = (text: string): string => text.split('\n').find((line) => /error|fail/i.test(line)) ?? ''

/** Without what differs from run to run: numbers, durations, temporary paths. */
const steady = (text: string): string => text.replace(/\/tmp\/\S+/g, '').replace(/\d+/g, '#')

function cutMiddle(text: string): string {
  if (text.length <= longestEvidence) return text
  const half = longestEvidence / 2
  return `${text.slice(0, half)}\n… ${text.length - longestEvidence} characters cut …\n${text.slice(-half)}`
}
