import type { CommitId } from '../../ids.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { StoryState } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { endAttempt, exhaust, turnsSpent } from './ladder.ts'

/** Wrong work costs a round, and the last round of an attempt ends it. */
export function spendRound(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  const { roundsPerAttempt } = policyOf(state).limits
  if (story.tally.rounds >= roundsPerAttempt) {
    return endAttempt(
      state,
      story,
      `all rounds are spent (${story.tally.rounds}): ${story.findings[0]?.message ?? 'nothing said'}`,
    )
  }
  story.tally.rounds += 1
  codeAgain(state, story, at)
}

/** The same attempt goes on, in the same workspace and session, with the findings. */
export function codeAgain(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  if (story.turn - story.tally.turnsBefore >= policyOf(state).limits.turnsPerStory) {
    return exhaust(state, story, turnsSpent(story))
  }
  story.round += 1
  moveStory(story, 'sentBack', at)
}

/** Not the coder's fault alone: it has a counter of its own, and starts from the new base. */
export function returnFromLine(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  story.thisAttempt.failures = null
  story.tally.merges += 1
  if (story.tally.merges > policyOf(state).limits.mergesPerStory) {
    story.tally.merges = 0
    return endAttempt(state, story, `it did not fit onto the line: ${story.findings[0]?.message ?? 'conflict'}`)
  }
  codeAgain(state, story, at)
}
