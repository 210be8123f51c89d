import { evolve } from '../../delivery/evolve.ts'
import { basisOf } from '../../delivery/inputs/basis.ts'
import { landedBy } from '../../delivery/inputs/landing.ts'
import { initialState } from '../../delivery/state.ts'
import type { Land } from '../../delivery/step.ts'
import { type CommitFacts, trailersIn } from '../../proof/statement/problems.ts'
import { addProofNotes, proofNotes, unnoted } from '../travel/notes.ts'
import type { Noting } from '../travel/statements.ts'
import type { DeliveryRecord } from './record.ts'
import type { VerifyWorld } from './world.ts'

type World = Pick<VerifyWorld, 'steps'> & { kept: (delivery: string) => Promise<DeliveryRecord> }

/**
 * The notes of a landing could not be written when it was made: with the log of that time they are written now. False:
 * they were not, or this commit has not landed by us.
 */
export async function writeMissing({ steps, kept }: World, { commit, message }: CommitFacts): Promise<boolean> {
  const { delivery } = trailersIn(message)
  const known = steps === null || delivery === undefined ? null : await kept(delivery)
  if (known === null || 'broken' in known) return false
  const landing = landingOf(delivery!, known, commit)
  if (landing === null) return false
  const world = await steps!()
  const { input, step } = landing
  const noting = { world, repository: await world.repository(input.request.repository), input }
  const written = await Promise.allSettled([proofNotes(noting, step).then((notes) => addProofNotes(noting, notes))])
  return written.every((one) => one.status === 'fulfilled' && one.value === null)
}

interface Landing extends Pick<Noting, 'input'> {
  step: Pick<Land, 'from' | 'to'>
}

type Known = Extract<DeliveryRecord, { entries: unknown }>

/** The landing of the commit here, as the delivery stood then. */
function landingOf(delivery: string, { entries, heard }: Known, commit: string): Landing | null {
  const state = initialState(delivery)
  for (const [index, entry] of entries.entries()) {
    const { event } = entry
    if (event.type === 'Landed' && state.line.commits.some((one) => one.commit === commit)) {
      const isMissing = index >= heard && state.concerns.some((text) => text.startsWith(unnoted))
      return isMissing ? { input: { ...basisOf(state), landed: landedBy(state, event) }, step: event } : null
    }
    evolve(state, entry)
  }
  return null
}
