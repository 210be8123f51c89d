import type { DeliveryState } from '../state.ts'
import { storiesOf } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import { isOnLine } from '../story/story.ts'

export const nextInQueue = (state: DeliveryState): number =>
  1 + storiesOf(state).reduce((last, story) => Math.max(last, story.queue), 0)

export const dependenciesOnLine = (state: DeliveryState, story: StoryState): boolean =>
  story.spec.dependsOn.every((id) => {
    const dependency = state.stories[id]
    return dependency !== undefined && isOnLine(dependency)
  })
