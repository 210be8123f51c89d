import type { CommitId, StepId, StoryId, TreeId } from '../ids.ts'
import type { Opinion, Reproduction, ReviewWord, SortedFindings, Vantage } from './review.ts'

export type ReviewOutcome =
  | { type: 'StoryReviewed'; step: StepId; story: StoryId; vantage: Vantage; commit: CommitId; word: ReviewWord }
  /** `verdict` is the triager's own; what follows from what it accepted is what counts. */
  | { type: 'FindingsTriaged'; step: StepId; story: StoryId; sorted: SortedFindings[]; verdict: Opinion }
  | { type: 'TriageFaulted'; step: StepId; story: StoryId; problems: string[] }
  | {
      type: 'FindingsReproduced'
      step: StepId
      story: StoryId
      reproductions: Reproduction[]
      /** The tests that failed as predicted, on top of what was reviewed; null when there are none. */
      red: { commit: CommitId; tree: TreeId } | null
    }
