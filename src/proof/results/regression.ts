import { identity } from './baseline.ts'
import type { CheckResult, TestFailure } from './check-result.ts'
import { isNotThereYet } from './faults.ts'

/** What a run of a check showed, also when it could not even be set up. */
export type RunShown = Pick<CheckResult, 'failures' | 'message' | 'tail'> & {
  status: CheckResult['status'] | 'not-set-up'
}

/** Whether a commit has the trouble that another one has. What fails there otherwise says nothing about it. */
export function regressionWord(shown: RunShown, trouble: RunShown): 'green' | 'red' | 'unclear' {
  if (shown.status === 'pass') return 'green'
  const wanted = new Set(trouble.failures.map(identity))
  if (wanted.size === 0) return failsAlike(shown, trouble) ? 'red' : 'unclear'
  if (shown.failures.some((failure) => wanted.has(identity(failure)))) return 'red'
  return shown.status === 'test-failure' && shown.failures.length > 0 ? 'green' : 'unclear'
}

/** A command that was not there yet ends like one that finds something. */
const failsAlike = (one: RunShown, other: RunShown): boolean =>
  one.status === other.status && isNotThereYet(one) === isNotThereYet(other)

/** The trouble without what was there before; null: nothing else is left, or nobody can tell. */
export function beyond(trouble: RunShown, before: RunShown): { rest: RunShown; known: TestFailure[] } | null {
  const known = new Set(before.failures.map(identity))
  const rest = trouble.failures.filter((failure) => !known.has(identity(failure)))
  if (known.size === 0 || rest.length === 0) return null
  return {
    rest: { ...trouble, failures: rest },
    known: trouble.failures.filter((failure) => known.has(identity(failure))),
  }
}

/**
 * The first of so many that is red, the last being red: what follows a red one is red. Asks ⌈log2 count⌉ times at most.
 */
export async function firstRed(count: number, isRed: (index: number) => Promise<boolean>): Promise<number> {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (await isRed(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Once the last, as often as halving asks, and once more to be sure of the first red one and of the one before it. */
export const mostRuns = (count: number): number => 3 + Math.ceil(Math.log2(Math.max(1, count)))
