import type { DeliveryState } from '../state.ts'
import { storiesOf } from '../state.ts'
import type { StoryState } from '../story/story.ts'
import { isOnLine } from '../story/story.ts'

export const nextInQueue = (state: DeliveryState): number =>
  1 + storiesOf(state).reduce((last, story) => Math.max(last, story.queue), 0)

/** The one story that may be composed now: first come, first served, dependencies first, one at a time. */
export function headOfQueue(state: DeliveryState): StoryState | null {
  let head: StoryState | null = null
  for (const id of state.order) {
    const story = state.stories[id]
    if (story === undefined) continue
    if (story.control.status === 'proving') return story
    if (story.control.status !== 'composing' || (head !== null && head.queue <= story.queue)) continue
    if (dependenciesOnLine(state, story)) head = story
  }
  return head
}

export const dependenciesOnLine = (state: DeliveryState, story: StoryState): boolean =>
  story.spec.dependsOn.every((id) => {
    const dependency = state.stories[id]
    return dependency !== undefined && isOnLine(dependency)
  })
