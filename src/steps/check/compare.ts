import { brokenInBoth, subtractBaseline, withoutQuarantined } from '../../proof/results/baseline.ts'
import type { CheckResult, TestFailure } from '../../proof/results/check-result.ts'
import { type BaseRuns, baseResult, type Keys, runOnBase } from './base-runs.ts'
import type { Bench } from './run-check.ts'

/** What of a result is charged, and what of it is not. */
export interface Compared {
  result: CheckResult
  /** Failures that the base has too. */
  known: TestFailure[]
  /** All that the base fails each time, where it was looked at for that. */
  broken: TestFailure[]
  /** Failures in quarantine. */
  aside: TestFailure[]
  base: CheckResult | null
}

export interface Comparison {
  baseTree: string
  environment: string
  bases: BaseRuns
}

export const keysOf = ({ baseTree, environment }: Comparison): Keys => ({ tree: baseTree, environment, run: 'first' })

export async function compare(bench: Bench, comparison: Comparison, result: CheckResult): Promise<Compared> {
  const { result: charged, aside } = await withoutQuarantine(bench, result)
  return { ...(await compareWithBase(bench, comparison, charged)), aside }
}

async function withoutQuarantine({ step, input, repository }: Bench, result: CheckResult) {
  const patterns = input.policy.quarantine
  if (patterns.length === 0 || result.status !== 'test-failure') return { result, aside: [] }
  const changes = await repository.diff(step.base, step.commit)
  const changedFiles = changes.flatMap(({ path, oldPath }) => [path, oldPath ?? path])
  return withoutQuarantined(result, { patterns, changedFiles })
}

async function compareWithBase(
  bench: Bench,
  comparison: Comparison,
  result: CheckResult,
): Promise<Omit<Compared, 'aside'>> {
  const alone = { result, known: [], broken: [], base: null }
  if (result.status === 'pass' || result.status === 'timeout') return alone
  const base = await runOnBase(bench, keysOf(comparison), comparison.bases)
  if (base === null || base.status === 'not-set-up') return alone
  const once = subtractBaseline(result, base.result)
  if (once.known.length === 0) return { ...once, broken: [], base: base.result }
  // One red run of the base may have been a flake, and a flake excuses nothing.
  const again = await baseResult(bench, { ...keysOf(comparison), run: 'again' }, comparison.bases)
  if (again.status === 'not-set-up') return { ...alone, base: base.result }
  const both = brokenInBoth(base.result, again.result)
  return { ...subtractBaseline(result, both), broken: both.failures, base: base.result }
}
