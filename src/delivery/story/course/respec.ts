import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import type { Respecifying, StoryControl, StoryState } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { beginPhase } from './strategy.ts'

/** Into so many at most: who needs more needs another plan. */
export const piecesPerSplit = 8

/** A planner may make several of it: once, and of what a planner has planned. A human may ask for more. */
export const mayBeSplit = (state: DeliveryState, story: StoryState): boolean =>
  !state.plan.given && story.origin === null && story.spec.complexity > 1 && isSplittable(state, story)

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

export function beginRespec(
  story: StoryState,
  {
    as,
    reason,
    ...besides
  }: Pick<Respecifying, 'as' | 'reason'> & Partial<Pick<Respecifying, 'departed' | 'problems'>>,
): void {
  story.thisAttempt.session = null
  moveStory(story, 'respecBegan', { as, reason, departed: [], problems: [], ...besides, repairs: 0 })
}

/** Nothing is wrong with it but that something else was done otherwise than planned. */
export const isReplanned = (control: StoryControl): boolean =>
  (control.status === 'respecifying' || control.status === 'respecified') && control.departed.length > 0

/** Nobody has a better specification: that never holds up what was right when it was planned. */
export function letStand(state: DeliveryState, story: StoryState, why: string): void {
  const { control, spec } = story
  if (control.status !== 'respecifying' && control.status !== 'respecified') return
  raiseConcern(state, `${spec.id} stays as it was planned, though ${control.departed.join(', ')} departed: ${why}`)
  goOnAsItIs(state, story)
}

/** It has not begun yet, so nothing of it has to begin anew. */
export function goOnAsItIs(state: DeliveryState, story: StoryState): void {
  moveStory(story, 'specKept', {})
  beginPhase(state, story)
}
