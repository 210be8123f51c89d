import type { Policy } from '../../policy.ts'
import type { StoryState } from '../../story/story.ts'
import type { Disputed, Reproducing, Reviewing, Triaging } from '../control.ts'
import { mostSeats, seatsFor } from './seats.ts'

/** More than a review may take from its first word to its end. */
export const reviewWeight = (policy: Policy): number => 3 * mostSeats(policy) + 24

/** How much of it is left: falls with each word. */
export function reviewRank(
  policy: Policy,
  story: StoryState,
  control: Reviewing | Triaging | Disputed | Reproducing,
): number {
  const { review } = story
  const seats = seatsFor(policy, story).length
  switch (control.status) {
    case 'reviewing':
      if (control.stage === 'rebuttal') return 20 + seats - Object.keys(review.rebuttals).length
      return 21 + seats + seats - Object.keys(review.words).length + (control.retry === 0 ? seats + 1 : 0)
    case 'triaging':
      return control.retry === 0 ? 19 : 17
    // With the question that is to be put.
    case 'disputed':
      return disputes[control.about]
    case 'reproducing':
      return 8
  }
}

/** In the order in which they may come. */
const disputes: Record<Disputed['about'], number> = { triage: 14, split: 11, unverified: 6 }
