import { policyOf } from '../../../delivery/state.ts'
import { recordOfBase } from '../base-runs.ts'
import { findProof } from '../proof.ts'
import type { Court } from '../run-check.ts'
import { lookUp } from '../verdict.ts'

/**
 * Whether a check tells of more tests than on the base. Where nobody can read which they are, the story has tests all the
 * same: what it wrote says that they pass, and only what they notice shows that they are any.
 */
export async function hasMoreTests(court: Court): Promise<boolean> {
  for (const check of policyOf(court.performance.state).checks) {
    const bench = { ...court, check }
    const { known, baseTree, keys } = await lookUp(bench)
    const now = known?.status === 'passed' ? known.proof?.counts?.total : undefined
    const proof = await findProof(bench, { tree: baseTree, environmentKey: keys.plain })
    const ran = await recordOfBase(bench, { tree: baseTree, environment: keys.plain, run: 'first' })
    const before = proof?.counts?.total ?? (ran?.status === 'ran' ? ran.result.counts?.total : undefined)
    if (now !== undefined && before !== undefined && now > before) return true
  }
  return false
}
