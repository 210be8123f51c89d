import type { CommitId } from '../../ids.ts'
import type { DeliveryState } from '../../state.ts'
import type { StoryState } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { refuel } from './ladder.ts'

/** A human works on it, in a workspace of its own, from where the last coder left it. */
export function takeOver(state: DeliveryState, story: StoryState): void {
  const at = story.last ?? { base: startOf(state, story), from: startOf(state, story) }
  const { departures } = story.thisAttempt
  refuel(state, story)
  Object.assign(story.thisAttempt, { departures, taken: true })
  story.coder = null
  // Whoever does both needs nobody to begin with the tests.
  if (story.kind === 'story') story.phase = 'code'
  moveStory(story, 'takeOverBegan', { stage: 'lending', ...at, path: '' })
}

/** What a first attempt begins with. */
export const startOf = (state: DeliveryState, { kind }: StoryState): CommitId =>
  kind === 'acceptance' ? state.request!.base : state.line.tip

export function workspaceLent(story: StoryState, path: string): void {
  const { control } = story
  if (control.status === 'taken-over') moveStory(story, 'workspaceLent', { ...control, stage: 'theirs', path })
}

/** What is in the workspace is taken for the work. */
export function handBack(story: StoryState): void {
  const { control } = story
  if (control.status !== 'taken-over') return
  story.tally.turnsBefore = story.turn
  moveStory(story, 'handedBack', { ...control, stage: 'harvesting' })
}
