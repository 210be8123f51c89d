import type { TreeId } from '../../delivery/ids.ts'
import { hashOf } from '../../std/hash.ts'
import { findProof } from './proof.ts'
import { type Bench, type Ran, runCheck } from './run-check.ts'

/** How checks went on base commits, for as long as this process lives. */
export type BaseRuns = Map<string, Ran>

export const baseRuns = (): BaseRuns => new Map()

/** The same check on the commit that the subject is compared with; null when it is proven there. */
export async function runOnBase(
  bench: Bench,
  keys: { tree: TreeId; environment: string },
  bases: BaseRuns,
): Promise<Ran | null> {
  const { performance, check } = bench
  const key = hashOf([keys, check.run])
  const known = bases.get(key)
  if (known !== undefined) return known
  if ((await findProof(bench, { tree: keys.tree, environmentKey: keys.environment })) !== null) return null
  const ran = await runCheck(bench, { name: '-base', commit: performance.step.base, overlay: [] })
  bases.set(key, ran)
  return ran
}
