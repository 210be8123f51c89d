import type { CommitId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Who } from '../step.ts'
import type { Rebuttal, ReviewWord, Vantage } from './review.ts'

/** What reviewers have said about one story. */
export interface ReviewState {
  /** 1, 2, 3: since its work last passed, or a human refuelled it. */
  round: number
  /** The last commit that was reviewed in this attempt: later rounds look only at the change since. */
  since: CommitId | null
  /** In the present round. */
  words: Partial<Record<Vantage, Heard>>
  rebuttals: Partial<Record<Vantage, Rebuttal[]>>
  /** Accepted, and sent back. */
  open: Finding[]
  /** True or out of scope, and not mended here: for the report. They do not return. */
  deferred: Disposed[]
  /** They do not return either. */
  rejected: Disposed[]
  /** Fingerprints of blocking findings that another reviewer disputes. */
  split: string[]
  /** All agree, and all are the same model. */
  unverified: boolean
  /** What passed last; null: nothing has. */
  approved: CommitId | null
}

/** What one reviewer said, and who it was. */
export interface Heard extends Who {
  word: ReviewWord
}

export interface Disposed {
  finding: Finding
  because: string
}

export const noReview = (): ReviewState => ({
  round: 0,
  since: null,
  words: {},
  rebuttals: {},
  open: [],
  deferred: [],
  rejected: [],
  split: [],
  unverified: false,
  approved: null,
})
