import type { DeliveryState } from '../state.ts'
import { raiseConcern } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import type { Deviation, Handoff } from './handoff.ts'

const most = 100
const mostDepartures = 40

/** The last one that says anything holds. What it corrects and where it leaves the plan is for all who come after. */
export function handedOff(state: DeliveryState, story: StoryState, handoff: Handoff): void {
  const { id } = story.spec
  if (handoff.quality === 'fallback') return
  // Mere notes come on top of what was said in full of the same work.
  const isNote = handoff.quality === 'partial' && story.handoff.quality === 'full' && isOnlyNotes(handoff)
  story.handoff = isNote ? { ...story.handoff, notes: handoff.notes } : handoff
  for (const correction of handoff.corrections) {
    const known = state.corrections.some(
      ({ assumption, fact }) => assumption === correction.assumption && fact === correction.fact,
    )
    if (!known && state.corrections.length < most)
      state.corrections = [...state.corrections, { story: id, ...correction }]
  }
  const material = handoff.deviations.filter((one) => one.material)
  story.departures = [...story.departures, ...material.filter((one) => !isKnown(story, one))].slice(0, mostDepartures)
  for (const { from, why } of material) raiseConcern(state, `${id} departs from the plan (${from}): ${why}`)
}

const isOnlyNotes = ({ quality: _, notes: __, ...told }: Handoff): boolean =>
  Object.values(told).every((list) => list.length === 0)

/** A later round need not say again what an earlier one has said of the same work. */
const isKnown = ({ departures }: StoryState, { from, why }: Deviation): boolean =>
  departures.some((one) => one.from === from && one.why === why)

/** What a story leaves: as its last turn has it, with all that departs from the plan in what is there of it now. */
export const leftBy = ({ handoff, departures }: StoryState): Handoff => ({
  ...handoff,
  deviations: [...departures, ...handoff.deviations.filter(({ material }) => !material)],
})
