import { dueSteps } from '../delivery/due.ts'
import type { Instant } from '../delivery/ids.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { storiesOf } from '../delivery/state.ts'
import { results } from '../delivery/step.ts'
import type { StoryControl } from '../delivery/story/story.ts'
import { isSettled } from '../delivery/story/story.ts'

/** Every word a delivery can be described by, wherever it is shown. */
export const deliveryWords = ['planning', 'working', 'landing', 'waiting', 'paused', 'stopping', ...results] as const
export type DeliveryWord = (typeof deliveryWords)[number]

/** The same for a story, where it is on its way to the target: the law's own list. */
export type StoryWord = StoryControl['status']

export function deliveryWord(state: DeliveryState, at: Instant): DeliveryWord {
  const { mode } = state
  if (mode.status === 'ended') return mode.result
  if (mode.status !== 'active') return mode.status
  if (isStill(state, at)) return 'waiting'
  if (state.plan.control.status !== 'approved') return 'planning'
  return storiesOf(state).every(isSettled) ? 'landing' : 'working'
}

/** What is to be told besides the word: the end knows more than what was raised on the way. */
export const toldConcerns = ({ mode, concerns }: DeliveryState): string[] =>
  mode.status === 'ended' ? mode.concerns : concerns

/** Nothing can be done now: a human has to answer, or a limit has to pass. */
function isStill(state: DeliveryState, at: Instant): boolean {
  return state.request !== null && dueSteps(state, { at, day: '', open: true, changesAt: null }).steps.length === 0
}
