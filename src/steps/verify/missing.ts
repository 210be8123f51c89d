import { evolve } from '../../delivery/evolve.ts'
import { type DeliveryState, initialState } from '../../delivery/state.ts'
import type { Land } from '../../delivery/step.ts'
import { type CommitFacts, trailersIn } from '../../proof/statement/problems.ts'
import { requestOf } from '../place/request.ts'
import { addNotes, proofNotes, unnoted } from '../travel/notes.ts'
import type { Kept } from './record.ts'
import type { VerifyWorld } from './world.ts'

type World = Pick<VerifyWorld, 'steps'> & { kept: (delivery: string) => Promise<Kept> }

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
  const repository = await world.repository(requestOf(landing.state).repository)
  const [written] = await Promise.allSettled([
    proofNotes(world, landing, repository).then((notes) => addNotes(landing, { repository, notes })),
  ])
  return written.status === 'fulfilled' && written.value === null
}

interface Landing {
  state: DeliveryState
  step: Pick<Land, 'from' | 'to'>
}

type Known = Extract<Kept, { entries: unknown }>

/** The state in which the commit landed here, and the landing. */
function landingOf(delivery: string, { entries, heard }: Known, commit: string): Landing | null {
  const state = initialState(delivery)
  for (const [index, entry] of entries.entries()) {
    const { event } = entry
    if (event.type === 'Landed' && state.line.commits.some((one) => one.commit === commit))
      return index >= heard && state.concerns.some((text) => text.startsWith(unnoted)) ? { state, step: event } : null
    evolve(state, entry)
  }
  return null
}
