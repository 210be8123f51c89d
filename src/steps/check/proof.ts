import type { Proof } from '../../delivery/judging/finding.ts'
import { policyOf } from '../../delivery/state.ts'
import type { StoredProof } from '../../ports/event-log.ts'
import { hashOf } from '../../std/hash.ts'
import { isConfined } from '../place/confine.ts'
import { requestOf } from '../place/request.ts'
import { lentDigest } from './lent.ts'
import type { Bench } from './run-check.ts'

/** Everything besides tree and command that a result depends on. */
export async function environmentKeyOf(bench: Bench): Promise<string> {
  const { world, performance, check } = bench
  const { setup, quarantine, workspace, egress } = policyOf(performance.state)
  const { ports, copy, services } = workspace
  const { parser, report, packages, needs } = check
  const confined = (await isConfined(world, performance)) ? { needs, egress } : null
  const settings = { confined, setup: setup?.run ?? null, quarantine, parser, report, packages, ports, copy, services }
  return hashOf({ machine: world.environmentKey, ...settings, lent: await lentDigest(bench) })
}

/** Of a pass that holds only in comparison with a red base: elsewhere it proves nothing. */
export const relativeKey = (environmentKey: string, baseTree: string): string => hashOf([environmentKey, baseTree])

export async function findProof(
  { world, performance, check }: Bench,
  key: { tree: string; environmentKey: string },
): Promise<StoredProof | null> {
  const repository = requestOf(performance.state).repository.id
  const found = await world.log.findProof({ repository, command: check.run, ...key })
  // Earlier versions took an output that told of no test for a pass.
  return found?.counts === null && check.parser !== 'exit-code' ? null : found
}

/** An earlier proof of the same key stands for another run. */
export function reused({ performance, check }: Bench, stored: StoredProof, environmentKey: string): Proof {
  const { delivery: _, version: __, ...told } = stored
  const { tree } = performance.step
  return { tree, check: check.name, command: check.run, environmentKey, reused: true, ...told }
}
