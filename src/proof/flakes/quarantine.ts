import { isAmong, setAside } from '../results/baseline.ts'
import type { CheckResult, TestFailure } from '../results/check-result.ts'

/** Failures of tests in quarantine are told and not charged, except in files that the change itself touches. */
export function withoutQuarantined(
  result: CheckResult,
  { patterns, changedFiles }: { patterns: readonly string[]; changedFiles: readonly string[] },
): { result: CheckResult; aside: TestFailure[] } {
  const expressions = patterns.map(expressionOf)
  return setAside(
    result,
    ({ test, file }) => expressions.some((one) => one.test(test)) && file !== null && !isAmong(file, changedFiles),
  )
}

/** `*` stands for anything, everything else for itself. */
const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    's',
  )
