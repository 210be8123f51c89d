import { identity } from '../results/baseline.ts'
import type { CheckResult, TestFailure } from '../results/check-result.ts'

/** Of several runs of one tree: what failed in each of them, and what failed in one and not in another. */
export function steadyFailures(runs: readonly Pick<CheckResult, 'failures'>[]): {
  steady: TestFailure[]
  flaky: TestFailure[]
} {
  const sets = runs.map(({ failures }) => new Set(failures.map(identity)))
  const all = new Map(runs.flatMap(({ failures }) => failures.map((failure) => [identity(failure), failure] as const)))
  const isSteady = (key: string): boolean => sets.every((set) => set.has(key))
  return {
    steady: [...all].filter(([key]) => isSteady(key)).map(([, failure]) => failure),
    flaky: [...all].filter(([key]) => !isSteady(key)).map(([, failure]) => failure),
  }
}
