import type { DeliveryState } from '../../state.ts'
import type { StoryState } from '../story.ts'
import { isOnLine, isSettled } from '../story.ts'
import { isWaitedFor } from './acceptance.ts'

/** A dependent never starts before what it depends on is on the line. */
export function mayStart(state: DeliveryState, story: StoryState): boolean {
  if (isWaitedFor(state, story)) return false
  return dependenciesOnLine(state, story) && story.after.every((id) => isOutOfTheWay(state.stories[id]!))
}

const isOutOfTheWay = (story: StoryState): boolean => isSettled(story) || story.control.status === 'escalated'

const dependenciesOnLine = (state: DeliveryState, story: StoryState): boolean =>
  story.spec.dependsOn.every((id) => {
    const dependency = state.stories[id]
    return dependency !== undefined && isOnLine(dependency)
  })
