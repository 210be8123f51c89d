import { mkdir, rm } from 'node:fs/promises'
import type { Proof } from '../../delivery/judging/finding.ts'
import type { StoredProof } from '../../ports/event-log.ts'
import { hashOf } from '../../std/hash.ts'
import { isConfined } from '../place/run-line.ts'
import type { Bench } from './run-check.ts'

/** Everything besides tree and command that a result depends on. */
export async function environmentKeyOf(bench: Bench): Promise<string> {
  const { world, input, check } = bench
  const { setup, quarantine, workspace, egress } = input.policy
  const { ports, copy, services } = workspace
  const { parser, report, packages, needs } = check
  const confined = (await isConfined(bench)) ? { needs, egress } : null
  const settings = { confined, setup: setup?.run ?? null, quarantine, parser, report, packages, ports, copy, services }
  return hashOf({ machine: world.environmentKey, ...settings, lent: await lentDigest(bench) })
}

/** Of a pass that holds only in comparison with a red base: elsewhere it proves nothing. */
export const relativeKey = (environmentKey: string, baseTree: string): string => hashOf([environmentKey, baseTree])

export async function provenFor(
  { world, input, check }: Bench,
  key: { tree: string; environmentKey: string },
): Promise<StoredProof | null> {
  const repository = input.request.repository.id
  const found = await world.log.findProof({ repository, command: check.run, ...key })
  // Earlier versions took an output that told of no test for a pass.
  return found?.counts === null && check.parser !== 'exit-code' ? null : found
}

/** An earlier proof of the same key stands for another run. */
export function reused({ step, check }: Bench, stored: StoredProof, environmentKey: string): Proof {
  const { delivery: _, version: __, ...told } = stored
  const { tree } = step
  return { tree, check: check.name, command: check.run, environmentKey, reused: true, ...told }
}

/** What the files say that places are lent of the user's checkout, as a digest only: they may hold secrets. */
export async function lentDigest({ world, step, input, repository, try: number }: Bench): Promise<string | null> {
  const { copy: patterns } = input.policy.workspace
  if (patterns.length === 0) return null
  const place = world.places.result(input.delivery, `${step.id}-${number}.lent`)
  await mkdir(place, { recursive: true, mode: 0o700 })
  try {
    const lent = await repository.lendFiles({ patterns, place })
    for (const { text } of lent) world.learnSecrets(text)
    return hashOf(lent.map(({ path, text }) => [path, text]).sort())
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}
