import { dependenciesOnLine } from '../merging/queue.ts'
import type { DeliveryState } from '../state.ts'
import { isWaitedFor } from './acceptance.ts'
import type { StoryState } from './story.ts'
import { isSettled } from './story.ts'

/** A dependent never starts before what it depends on is on the line. */
export function mayStart(state: DeliveryState, story: StoryState): boolean {
  if (isWaitedFor(state, story)) return false
  return dependenciesOnLine(state, story) && story.after.every((id) => isOutOfTheWay(state.stories[id]!))
}

const isOutOfTheWay = (story: StoryState): boolean => isSettled(story) || story.control.status === 'escalated'
