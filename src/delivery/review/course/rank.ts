import type { Policy } from '../../policy.ts'
import type { StoryState } from '../../story/story.ts'
import type { Disputed, Reproducing, Reviewing, Triaging } from '../control.ts'
import { seatsOf } from '../seats.ts'

/** More than a review may take from its first word to its end. */
export const reviewWeight = (policy: Policy): number => 3 * seatsOf(policy).length + 24

/** How much of it is left: falls with each word. */
export function reviewRank(
  policy: Policy,
  { review }: StoryState,
  control: Reviewing | Triaging | Disputed | Reproducing,
): number {
  const seats = seatsOf(policy).length
  switch (control.status) {
    case 'reviewing':
      if (control.stage === 'rebuttal') return 20 + seats - Object.keys(review.rebuttals).length
      return 21 + seats + seats - Object.keys(review.words).length + (control.retry === 0 ? seats + 1 : 0)
    case 'triaging':
      return control.retry === 0 ? 19 : 17
    // With the question that is to be put.
    case 'disputed':
      return control.about === 'triage' ? 14 : 11
    case 'reproducing':
      return 8
  }
}
