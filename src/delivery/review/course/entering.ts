import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import { exhaust } from '../../story/course/ladder.ts'
import type { Work } from '../../story/course/passing.ts'
import { pass } from '../../story/course/passing.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { seatsOf } from './seats.ts'

/** All judges have passed: reviewers look at it, where there are any. Tests for the whole are judged with the whole. */
export function enterReview(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
  const work = { base, commit, tree }
  const nobody = seatsOf(policyOf(state)).length === 0
  if (nobody && story.kind === 'review') return exhaust(state, story, 'nobody is there to review (review.reviewers)')
  const { review } = story
  // What passed earlier is not this.
  if (nobody) review.approved = null
  if (nobody || story.kind === 'acceptance') return pass(state, story, work)
  if (commit === base && story.kind !== 'review') {
    review.approved = commit
    return pass(state, story, work)
  }
  review.round += 1
  review.words = {}
  review.rebuttals = {}
  review.split = []
  review.unverified = false
  review.trustedBy = null
  moveStory(story, 'reviewBegan', { ...work, stage: 'review', retry: 0 })
}

/** Under other settings others look at it, or nobody does: what was said so far does not count. */
export function reviewAnew(state: DeliveryState, story: StoryState): void {
  const { control } = story
  switch (control.status) {
    case 'reviewing':
    case 'triaging':
    case 'disputed':
    case 'reproducing':
      story.review.before += 1
      return enterReview(state, story, control)
    default:
      return
  }
}
