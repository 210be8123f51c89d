import type { TestCounts } from '../../delivery/judging/finding.ts'
import type { CheckResult } from './check-result.ts'

export interface PackageResult {
  folder: string
  result: CheckResult
}

// The first of these that any package shows is what all of them show.
const worst: CheckResult['status'][] = ['timeout', 'crash', 'build-error', 'test-failure', 'no-tests', 'pass']

/** One result of a check that ran in several folders: nothing passes unless it passes in each of them. */
export function addUp(results: readonly PackageResult[]): CheckResult {
  const placed = results.map(inFolder)
  if (placed.length === 1) return placed[0]!
  const status = worst.find((one) => placed.some((result) => result.status === one))!
  const told = results.find(({ result }) => result.status === status)!
  const passed = placed.map((result) => result.passed)
  const printed = placed.some((result) => result.printed !== undefined)
    ? countsOf(placed.map((result) => ({ ...result, counts: result.printed ?? result.counts })))
    : null
  return {
    status,
    runner: told.result.runner,
    counts: countsOf(placed),
    ...(printed === null ? {} : { printed }),
    ...(told.result.silent === true && { silent: true }),
    ...(told.result.lack !== undefined && { lack: told.result.lack }),
    failures: placed.flatMap(({ failures }) => failures),
    hollow: placed.flatMap(({ hollow }) => hollow),
    passed: passed.includes(null) ? null : passed.flatMap((names) => names!),
    message: status === 'pass' ? `passed in ${results.length} packages` : `in ${told.folder}: ${told.result.message}`,
    tail: told.result.tail,
  }
}

function inFolder({ folder, result }: PackageResult): CheckResult {
  if (folder === '') return result
  const placed = (file: string): string => `${folder}/${file}`
  return {
    ...result,
    failures: result.failures.map((failure) =>
      failure.file === null
        ? { ...failure, test: `${folder}: ${failure.test}` }
        : { ...failure, file: placed(failure.file) },
    ),
    hollow: result.hollow.map(placed),
  }
}

/** Unknown when a package failed without figures: nobody could tell which of its failures are the base's. */
function countsOf(results: readonly CheckResult[]): TestCounts | null {
  if (results.some(({ status, counts }) => status !== 'pass' && counts === null)) return null
  const known = results.flatMap(({ counts }) => counts ?? [])
  if (known.length === 0) return null
  const sum = (key: keyof TestCounts): number => known.reduce((total, counts) => total + counts[key], 0)
  return { total: sum('total'), passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
