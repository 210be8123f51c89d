import type { DeliveryState } from '../../state.ts'
import { raiseConcern } from '../../state.ts'
import type { Deviation, Handoff } from '../handoff.ts'
import type { StoryState } from '../story.ts'

const most = 100
const mostDepartures = 40

/** The last one that is whole holds, with what came after it. What it corrects and where it leaves the plan is for all who come after. */
export function handedOff(state: DeliveryState, story: StoryState, handoff: Handoff): void {
  const { id } = story.spec
  if (handoff.quality === 'fallback') return
  const isOnTop = handoff.quality === 'partial' && story.handoff.quality === 'full'
  story.handoff = isOnTop ? withMore(story.handoff, handoff) : handoff
  for (const correction of handoff.corrections) {
    const known = state.corrections.some(
      ({ assumption, fact }) => assumption === correction.assumption && fact === correction.fact,
    )
    if (!known && state.corrections.length < most)
      state.corrections = [...state.corrections, { story: id, ...correction }]
  }
  const material = handoff.deviations.filter((one) => one.material)
  story.thisAttempt.departures = [
    ...story.thisAttempt.departures,
    ...material.filter((one) => !isKnown(story, one)),
  ].slice(0, mostDepartures)
  for (const { from, why } of material) raiseConcern(state, `${id} departs from the plan (${from}): ${why}`)
}

/** Half of a handoff takes nothing from one that was whole, of the same work: what it has besides is added. */
function withMore(whole: Handoff, { quality: _, notes, ...half }: Handoff): Handoff {
  const lists = Object.entries(half).map(([key, told]) => [key, added(whole[key as keyof typeof half] ?? [], told)])
  return { ...whole, ...Object.fromEntries(lists), notes: notes || whole.notes }
}

function added(had: readonly unknown[], told: readonly unknown[]): unknown[] {
  const known = new Set(had.map((one) => JSON.stringify(one)))
  return [...had, ...told.filter((one) => !known.has(JSON.stringify(one)))].slice(0, Math.max(most, had.length))
}

/** A later round need not say again what an earlier one has said of the same work. */
const isKnown = ({ thisAttempt }: StoryState, { from, why }: Deviation): boolean =>
  thisAttempt.departures.some((one) => one.from === from && one.why === why)

/** What a story leaves: as its last turn has it, with all that departs from the plan in what is there of it now. */
export const leftBy = ({ handoff, thisAttempt }: StoryState): Handoff => ({
  ...handoff,
  deviations: [...thisAttempt.departures, ...handoff.deviations.filter(({ material }) => !material)],
})
