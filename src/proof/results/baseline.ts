import { type Change, pathBefore } from '../files/change.ts'
import { changedTests, formerTests, means } from '../witness/named-tests.ts'
import type { CheckResult, TestFailure } from './check-result.ts'
import { isNotThereYet } from './faults.ts'
import { escaped } from './report.ts'

/** The result without the failures that the base has too. What did not run properly is never excused. */
export function subtractBaseline(
  result: CheckResult,
  base: CheckResult,
): { result: CheckResult; known: TestFailure[] } {
  if (base.status !== 'test-failure' || base.counts === null) return { result, known: [] }
  // Two tests may have one name: what failed once before excuses one failure.
  const broken = base.failures.map(identity)
  const { result: rest, aside } = setAside(result, (failure) => {
    const at = broken.indexOf(identity(failure))
    return at !== -1 && broken.splice(at, 1).length > 0
  })
  const message = `${rest.failures.length} tests failed, ${aside.length} more fail on the base too`
  return aside.length === 0 ? { result, known: [] } : { result: { ...rest, message }, known: aside }
}

/** The result without some failures; it passes when no other is left and something was tested. */
export function setAside(
  result: CheckResult,
  isAside: (failure: TestFailure) => boolean,
): { result: CheckResult; aside: TestFailure[] } {
  const untouched = { result, aside: [] }
  if (result.status !== 'test-failure' || result.counts === null) return untouched
  // Failures that nobody named may be any.
  if (result.failures.length !== result.counts.failed) return untouched
  const aside = result.failures.filter(isAside)
  if (aside.length === 0) return untouched
  const excused = new Set(aside)
  const failures = result.failures.filter((failure) => !excused.has(failure))
  const counts = { ...result.counts, failed: failures.length }
  const remains = failures.length > 0 || counts.passed === 0
  return { result: { ...result, status: remains ? 'test-failure' : 'pass', counts, failures }, aside }
}

/** The base with only those failures that it has each time. */
export function brokenInBoth(base: CheckResult, again: CheckResult): CheckResult {
  const twice = new Set(again.failures.map(identity))
  return { ...base, status: again.status, failures: base.failures.filter((failure) => twice.has(identity(failure))) }
}

/** A runner may name a file from elsewhere than the root, such as Go by its module. */
export const isAmong = (file: string, others: readonly string[]): boolean =>
  others.some((other) => file === other || file.endsWith(`/${other}`) || other.endsWith(`/${file}`))

export const identity = (failure: TestFailure): string => JSON.stringify([failure.file, failure.test])

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
const expressionOf = (pattern: string): RegExp => new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 's')

/** Whether failures may be flakes: each is in a known file, and the change has left the test as it was. */
export function mayBeFlakes(failures: readonly TestFailure[], changes: readonly Change[]): boolean {
  const former = formerTests(changes)
  const isLeft = ({ file, test }: TestFailure): boolean => {
    if (file === null) return false
    const own = changes.filter((change) => isAmong(file, [change.path, pathBefore(change)]))
    return own.every((change) => changedTests(change, former).same.some((name) => means(test, name)))
  }
  return failures.length > 0 && failures.every(isLeft)
}

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
