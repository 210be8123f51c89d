import type { CheckResult, TestFailure } from './check-result.ts'

/** The result without the failures that the base has too. What did not run properly is never excused. */
export function subtractBaseline(
  result: CheckResult,
  base: CheckResult,
): { result: CheckResult; known: TestFailure[] } {
  const untouched = { result, known: [] }
  if (result.status !== 'test-failure' || base.status !== 'test-failure') return untouched
  if (result.counts === null || base.counts === null || result.failures.length !== result.counts.failed)
    return untouched
  const broken = new Set(base.failures.map(identity))
  const known = result.failures.filter((failure) => broken.has(identity(failure)))
  const failures = result.failures.filter((failure) => !broken.has(identity(failure)))
  if (known.length === 0) return untouched
  const counts = { ...result.counts, failed: failures.length }
  const remains = failures.length > 0 || counts.passed === 0
  const message = `${failures.length} tests failed, ${known.length} more fail on the base too`
  return { result: { ...result, status: remains ? 'test-failure' : 'pass', counts, failures, message }, known }
}

/** The base with only those failures that it has each time. */
export function brokenInBoth(base: CheckResult, again: CheckResult): CheckResult {
  const twice = new Set(again.failures.map(identity))
  return { ...base, status: again.status, failures: base.failures.filter((failure) => twice.has(identity(failure))) }
}

/** Whether failures may be a flake: each is in a known file, and none of these was changed. */
export function unrelatedToChange(failures: readonly TestFailure[], changedFiles: readonly string[]): boolean {
  return failures.length > 0 && failures.every(({ file }) => file !== null && !changedFiles.includes(file))
}

const identity = (failure: TestFailure): string => JSON.stringify([failure.file, failure.test])
