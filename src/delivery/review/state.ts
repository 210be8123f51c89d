import type { CommitId, Who } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Rebuttal, ReviewWord, Vantage } from './review.ts'

/** What reviewers have said about one story. */
export interface ReviewState {
  /** 1, 2, 3: of this story. */
  round: number
  /** Rounds up to the last time its work passed, or a human refuelled it. */
  before: number
  /**
   * What was reviewed last, in this attempt: who has looked at it then looks only at the change since, as long as the
   * base is that.
   */
  since: { base: CommitId; commit: CommitId; by: Vantage[] } | null
  /** From where the diff calls to be looked at, besides what the settings say; of all rounds of this attempt. */
  calls: Vantage[]
  /** In the present round. */
  words: Partial<Record<Vantage, Heard>>
  rebuttals: Partial<Record<Vantage, Rebuttal[]>>
  /** Accepted, and sent back. */
  open: Finding[]
  /** Tests that show what was sent back, as they failed; in this attempt. */
  red: { commit: CommitId; tests: string[] } | null
  /** True or out of scope, and not mended here: for the report. They do not return. */
  deferred: Disposed[]
  /** They do not return either. */
  rejected: Disposed[]
  /** Fingerprints of blocking findings that another reviewer disputes. */
  split: string[]
  /** All agree, and all are the same model. */
  unverified: boolean
  /** Who said that it is enough all the same; null: nobody was asked, or has answered. */
  trustedBy: string | null
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
  before: 0,
  since: null,
  calls: [],
  words: {},
  rebuttals: {},
  open: [],
  red: null,
  deferred: [],
  rejected: [],
  split: [],
  unverified: false,
  trustedBy: null,
  approved: null,
})

/** Nothing more is heard of it in this delivery: it was rejected, left for later, or waived. */
export const isDismissed = ({ review, waived }: Remembering, fingerprint: string): boolean =>
  waived.includes(fingerprint) ||
  [...review.deferred, ...review.rejected].some(({ finding }) => finding.fingerprint === fingerprint)

interface Remembering {
  review: ReviewState
  waived: string[]
}
