import type { DeliveryState } from '../state.ts'
import { raiseConcern } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import type { Handoff } from './handoff.ts'

const most = 100

/** The last one that says anything holds. What it corrects and where it leaves the plan is for all who come after. */
export function handedOff(state: DeliveryState, story: StoryState, handoff: Handoff): void {
  const { id } = story.spec
  if (handoff.quality === 'fallback') return
  story.handoff = handoff
  for (const correction of handoff.corrections) {
    const known = state.corrections.some(
      ({ assumption, fact }) => assumption === correction.assumption && fact === correction.fact,
    )
    if (!known && state.corrections.length < most)
      state.corrections = [...state.corrections, { story: id, ...correction }]
  }
  for (const { from, why, material } of handoff.deviations)
    if (material) raiseConcern(state, `${id} departs from the plan (${from}): ${why}`)
}
