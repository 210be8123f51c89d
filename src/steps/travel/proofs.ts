import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Basis } from '../../delivery/inputs/basis.ts'
import type { Proof } from '../../delivery/judging/finding.ts'
import type { StepWorld } from '../world.ts'

export interface HeardProof {
  proof: Proof
  concerns: string[]
  /** It has failures that were not charged. */
  relative: boolean
}

/** The latest proof of a tree by a check. */
export type ProofsHeard = (tree: string, check: string) => HeardProof | null

/** Every proof that a delivery has on record, with what was said about it when it was first made. */
export async function proofsOf(world: StepWorld, input: Basis): Promise<ProofsHeard> {
  const heard = new Map<string, HeardProof>()
  for (const { event } of await judgements(world, input.delivery)) {
    const found = proofIn(event)
    if (found === null) continue
    const concerns = found.proof.reused ? await firstConcerns(world, input, found.proof) : found.concerns
    heard.set(`${found.proof.tree} ${found.proof.check}`, {
      proof: found.proof,
      concerns,
      relative: (found.proof.counts?.failed ?? 0) > 0,
    })
  }
  return (tree, check) => heard.get(`${tree} ${check}`) ?? null
}

/** Who was asked to judge, and what they said. */
export async function judgingsOf(world: StepWorld, delivery: string): Promise<DeliveryEvent[]> {
  const types: DeliveryEvent['type'][] = ['StepStarted', 'Judged', 'StoryReviewed']
  const events = await world.log.query({ delivery, story: null, types, after: 0, limit: 1_000_000, from: 'first' })
  return events.map(({ event }) => event)
}

const judgements = (world: StepWorld, delivery: string) =>
  world.log.query({ delivery, story: null, types: ['Judged'], after: 0, limit: 1_000_000, from: 'first' })

function proofIn(event: DeliveryEvent): { proof: Proof; concerns: string[] } | null {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed' || event.verdict.proof === null) return null
  return { proof: event.verdict.proof, concerns: event.verdict.concerns }
}

/** A proof that stood for another run was made earlier, perhaps in another delivery. */
async function firstConcerns(world: StepWorld, { request }: Basis, proof: Proof): Promise<string[]> {
  const { tree, command, environmentKey } = proof
  const repository = request.repository.id
  const stored = await world.log.findProof({ repository, tree, command, environmentKey })
  if (stored === null) return []
  const first = (await judgements(world, stored.delivery)).find(({ version }) => version === stored.version)
  return first === undefined ? [] : (proofIn(first.event)?.concerns ?? [])
}
