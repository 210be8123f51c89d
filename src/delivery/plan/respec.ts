import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Respecifying, StoryState } from '../story/story.ts'

/** Into so many at most: who needs more needs another plan. */
export const piecesPerSplit = 8

/** A planner may make several of it: once, and of what a planner has planned. A human may ask for more. */
export const mayBeSplit = (state: DeliveryState, story: StoryState): boolean =>
  !state.plan.given &&
  policyOf(state).earlier !== true &&
  story.origin === null &&
  story.spec.complexity > 1 &&
  isSplittable(state, story)

/** What is added to mend the result of all, and acceptance tests, are one thing. */
export const isSplittable = (state: DeliveryState, { kind, spec }: StoryState): boolean =>
  kind === 'story' && policyOf(state).roles.planner.length > 0 && !isMend(state, spec.id)

const isMend = ({ order, line: { mends } }: DeliveryState, id: string): boolean =>
  mends > 0 && order.slice(-mends).includes(id)

/** Why it cannot be specified anew; null: it can. */
export function whyNotAmended(state: DeliveryState, { kind, tally }: StoryState): string | null {
  const { roles, limits } = policyOf(state)
  if (kind !== 'story') return 'it is not of the plan'
  if (roles.planner.length === 0) return 'there is no planner (roles.planner)'
  if (tally.amendments < limits.amendmentsPerStory) return null
  return `it was amended ${tally.amendments} times already (limits.amendmentsPerStory)`
}

export function beginRespec(story: StoryState, as: Respecifying['as'], reason: string): void {
  story.session = null
  story.control = { status: 'respecifying', as, reason, problems: [], repairs: 0 }
}
