import type { Outcome } from '../../delivery/events.ts'
import type { TreeId } from '../../delivery/ids.ts'
import type { TryBase } from '../../delivery/step.ts'
import { brokenInBoth, subtractBaseline, withoutQuarantined } from '../../proof/results/baseline.ts'
import type { CheckResult, TestFailure } from '../../proof/results/check-result.ts'
import { hashOf } from '../../std/hash.ts'
import { parseJson } from '../../std/json.ts'
import { keepText, readText } from '../place/text.ts'
import type { StepWork } from '../work.ts'
import { faultOfBase } from './environment.ts'
import { environmentKeyOf, provenFor } from './proof.ts'
import { type Bench, type Court, checkLines, type Ran, runCheck } from './run-check.ts'

/** How checks go on base commits: what is just being found out. What was found out is kept in the delivery's folder. */
export type BaseRuns = Map<string, Promise<Ran>>

export const baseRuns = (): BaseRuns => new Map()

export interface Keys {
  tree: TreeId
  environment: string
  /** A second run tells a broken test from a flaky one. */
  run: 'first' | 'again'
}

/** The same check on the commit that the subject is compared with; null when it is proven there. */
export async function runOnBase(bench: Bench, keys: Keys, bases: BaseRuns): Promise<Ran | null> {
  const proof = await provenFor(bench, { tree: keys.tree, environmentKey: keys.environment })
  return proof === null ? await baseResult(bench, keys, bases) : null
}

/** However it went there, once: for what is only compared with. */
export async function baseOnRecord(bench: Bench, keys: Keys, bases: BaseRuns): Promise<Ran> {
  return (await recordOfBase(bench, keys)) ?? (await baseResult(bench, keys, bases))
}

/** How it went there, if anybody has run it. */
export async function recordOfBase(bench: Bench, keys: Keys): Promise<Ran | null> {
  return await recorded((await keptAs(bench, keys)).kept)
}

/** The same, whether it is proven or not: for what a proof does not tell. */
export async function baseResult(bench: Bench, keys: Keys, bases: BaseRuns): Promise<Ran> {
  const { key, kept } = await keptAs(bench, keys)
  for (;;) {
    const known = await recorded(kept)
    if (known !== null && isLasting(known)) return known
    const running = bases.get(key)
    if (running === undefined) break
    // Whoever runs it may be stopped: that stops nobody else.
    const ran = await Promise.race([running.catch(() => null), aborted(bench.signal)])
    if (ran !== null) return ran
  }
  const run = keep(kept, runCheck(bench, requestOf(bench, keys)))
  bases.set(key, run)
  return await run.finally(() => bases.delete(key))
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  throw signal.reason
}

const requestOf = ({ step }: Bench, { run }: Keys) => ({
  name: run === 'first' ? '-base' : '-base-again',
  commit: step.base,
  overlay: [],
})

async function keptAs(bench: Bench, keys: Keys): Promise<{ key: string; kept: string }> {
  const key = hashOf([keys, await checkLines(bench, bench.step.base)])
  return { key, kept: bench.world.places.result(bench.input.delivery, `base-${key}`) }
}

const recorded = async (kept: string): Promise<Ran | null> => parseJson((await readText(kept)) ?? '') as Ran | null

async function keep(path: string, running: Promise<Ran>): Promise<Ran> {
  const ran = await running
  await keepText(path, JSON.stringify(ran))
  return ran
}

/** What a person may mend without a new commit, such as a set-up that failed, is tried again by those who stop for it. */
const isLasting = (ran: Ran): boolean =>
  ran.status === 'ran' && ['pass', 'test-failure', 'no-tests'].includes(ran.result.status)

/** Each check once on the base: what it shows there is on record for all that is compared with it. */
export async function tryBase(work: StepWork<TryBase, Court['repository']>, bases: BaseRuns): Promise<Outcome> {
  const { step, input, repository } = work
  const { id, base } = step
  const tree = await repository.treeOf(base)
  const told: string[] = []
  for (const check of input.policy.checks) {
    const bench: Bench = { ...work, check, step: { id, story: null, scope: 'whole', base, commit: base, tree } }
    const environment = await environmentKeyOf(bench)
    const ran = await runOnBase(bench, { tree, environment, run: 'first' }, bases)
    const fault = ran === null ? null : await faultOfBase(bench, ran)
    if (fault !== null) throw fault
    const shows = ran === null ? 'proven before' : ran.status === 'ran' ? ran.result.message : ran.problem
    told.push(`${check.name}: ${shows}`)
  }
  return { type: 'BaseTried', step: id, base, told }
}

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
