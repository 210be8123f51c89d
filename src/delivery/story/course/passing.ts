import type { CommitId, TreeId } from '../../ids.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storiesOf } from '../../state.ts'
import type { StoryState } from '../story.ts'
import { moveStory } from '../transitions.ts'

export interface Work {
  base: CommitId
  commit: CommitId
  tree: TreeId
}

/** No objection is left: the story goes to the gate, or to the queue for the line. */
export function pass(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
  const work = { base, commit, tree }
  story.findings = []
  if (policyOf(state).gates === 'manual') moveStory(story, 'gateReached', work)
  else enterQueue(state, story, work)
}

export function enterQueue(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
  const work = { base, commit, tree }
  if (story.kind === 'acceptance') return moveStory(story, 'held', work)
  story.queue = nextInQueue(state)
  moveStory(story, 'queued', { ...work, misfit: null })
}

const nextInQueue = (state: DeliveryState): number =>
  1 + storiesOf(state).reduce((last, story) => Math.max(last, story.queue), 0)
