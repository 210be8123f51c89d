import type { TestCounts } from '../../delivery/judging/finding.ts'
import type { Parsed, Report, TestFailure } from './check-result.ts'

/** A report with what every runner has; the rest is given. */
export const report = (told: Partial<Report> & Pick<Report, 'counts' | 'from' | 'to'>): Report => ({
  failures: [],
  hollow: [],
  passed: null,
  complete: true,
  summarised: true,
  unloadable: false,
  problem: null,
  certain: true,
  ...told,
})

/** A report that broke off. */
export const brokenOff = (at: Pick<Report, 'from' | 'to'>, told: Partial<Report> = {}): Report =>
  report({
    counts: countsOf({}),
    complete: false,
    summarised: false,
    problem: 'the report has no summary: it ended early',
    ...at,
    ...told,
  })

export function countsOf({ passed = 0, failed = 0, skipped = 0 }: Partial<TestCounts>): TestCounts {
  return { total: passed + failed + skipped, passed, failed, skipped }
}

/** Names of tests as they are told in full and as they stand in their file, if these are all of them. */
export function namesOf(tests: { full: string; own: string }[], count: number): string[] | null {
  if (tests.length !== count) return null
  return [...new Set(tests.flatMap(({ full, own }) => [full, own, own.replace(/^(\w+)\[.*\]$/s, '$1')]))]
}

/** Those that are what the check itself reported: what stands inside of another report was printed by a test. */
export function standing<Found extends Report>(reports: Found[]): Found[] {
  const inner = within(reports)
  const kept = reports.filter((one) => !inner.has(one))
  const whole = kept.some((one) => one.complete)
  return kept.filter((one) => one.complete || one.certain || !whole)
}

/** Reports inside of a larger one that is whole. Sorted, a report lies in the one that reaches furthest, or in none. */
function within(reports: Report[]): Set<Report> {
  const inner = new Set<Report>()
  let furthest: Report | null = null
  for (const one of [...reports].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const reach: Report | null = furthest
    if (reach !== null && (reach.to > one.to || (reach.to === one.to && reach.from < one.from))) inner.add(one)
    else if (one.complete && one.certain && (reach === null || one.to > reach.to)) furthest = one
  }
  return inner
}

/** All of them together: what one of them lacks, all of them lack. */
export function combine(reports: Parsed[]): Parsed {
  const sum = (pick: (counts: TestCounts) => number): number =>
    reports.reduce((total, one) => total + pick(one.counts), 0)
  const failures = reports.flatMap((one) => one.failures)
  const passed = reports.map((one) => one.passed)
  return {
    counts: {
      total: sum((one) => one.total),
      passed: sum((one) => one.passed),
      failed: sum((one) => one.failed),
      skipped: sum((one) => one.skipped),
    },
    failures,
    hollow: reports.flatMap((one) => one.hollow),
    passed: passed.every((names) => names !== null) ? passed.flat() : null,
    complete: reports.length > 0 && reports.every((one) => one.complete),
    summarised: reports.length > 0 && reports.every((one) => one.complete || one.summarised),
    unloadable: failures.length > 0 && reports.every((one) => one.counts.failed === 0 || one.unloadable),
    problem: reports.find((one) => one.problem !== null)?.problem ?? null,
  }
}

const longest = 4_000

/** A failure with what it says kept short. */
export const failure = (told: Partial<TestFailure> & Pick<TestFailure, 'test'>): TestFailure => {
  const { file = null, line = null, test, error = '', stack = '' } = told
  return { file, line, test, error: error.trim().slice(0, longest), stack: stack.trimEnd().slice(0, longest) }
}
