import type { TreeId } from '../../delivery/ids.ts'
import { hashOf } from '../../std/hash.ts'
import { findProof } from './proof.ts'
import { type Bench, type Ran, runCheck } from './run-check.ts'

/** How checks went on base commits, for as long as this process lives. */
export type BaseRuns = Map<string, Ran>

export const baseRuns = (): BaseRuns => new Map()

export interface Keys {
  tree: TreeId
  environment: string
  /** A second run tells a broken test from a flaky one. */
  run: 'first' | 'again'
}

/** The same check on the commit that the subject is compared with; null when it is proven there. */
export async function runOnBase(bench: Bench, keys: Keys, bases: BaseRuns): Promise<Ran | null> {
  if (!bases.has(keyOf(bench, keys))) {
    const proof = await findProof(bench, { tree: keys.tree, environmentKey: keys.environment })
    if (proof !== null) return null
  }
  return await baseResult(bench, keys, bases)
}

/** The same, whether it is proven or not: for what a proof does not tell. */
export async function baseResult(bench: Bench, keys: Keys, bases: BaseRuns): Promise<Ran> {
  const known = bases.get(keyOf(bench, keys))
  if (known !== undefined) return known
  const ran = await runCheck(bench, {
    name: keys.run === 'first' ? '-base' : '-base-again',
    commit: bench.performance.step.base,
    overlay: [],
  })
  bases.set(keyOf(bench, keys), ran)
  return ran
}

const keyOf = ({ check }: Bench, keys: Keys): string => hashOf([keys, check.run])
