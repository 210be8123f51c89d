import type { CommitId, Who, Work } from '../ids.ts'
import type { Finding, Severity } from '../judging/finding.ts'

/** From where a reviewer looks at a change. */
export const vantages = [
  'correctness',
  'edge-cases',
  'criteria',
  'security',
  'tests',
  'ui',
  'api',
  'migration',
  'integrity',
] as const
export type Vantage = (typeof vantages)[number]

/** Those that a diff can call for, the gravest first. */
export const callable = ['security', 'integrity', 'migration', 'api', 'ui', 'tests'] as const satisfies Vantage[]

/** What one reviewer came back with. A failed one is absent, never content. */
export type ReviewWord =
  | {
      status: 'returned'
      verdict: Opinion
      findings: Finding[]
      /** What it looked at: an approval that names nothing is none. */
      checked: string[]
      criteria: CriterionWord[]
      checklist: ChecklistWord[]
      /** On other reviewers' findings, when it was asked about them. */
      rebuttals: Rebuttal[]
      /**
       * Fingerprints of findings at places that the change did not touch; in later rounds, the change since the round
       * before. Seen by us, not said by the reviewer.
       */
      outside: string[]
      /**
       * Fingerprints of findings about what nobody asked for. Not there: nobody asked this reviewer, or it was silent, or
       * there is nothing to judge it by.
       */
      scope?: string[]
    }
  | { status: 'absent'; reason: string }

export interface CriterionWord {
  criterion: string
  state: 'met' | 'partial' | 'missing' | 'unclear'
  why: string
}

export interface ChecklistWord {
  item: string
  state: 'passed' | 'failed' | 'unverifiable'
  why: string
}

export interface Rebuttal {
  fingerprint: string
  /** `disputed` counts only with a quotation that is there. */
  stance: 'upheld' | 'disputed' | 'unsure'
  because: string
}

/** Existing work that is to be reviewed, and nothing else. */
export interface ReviewSubject extends Work {
  title: string
  description: string
  /** What it must fulfil, where somebody said it. */
  criteria: string[]
  /** From where its diff calls to be looked at. */
  calls: Vantage[]
}

export const opinions = ['approve', 'needs-work'] as const
export type Opinion = (typeof opinions)[number]

export const fates = ['accepted', 'deferred', 'rejected'] as const

/** What the triager makes of one finding. */
export interface SortedFindings {
  fingerprint: string
  fate: (typeof fates)[number]
  severity: Severity
  /** Disposes of that claim, and of no other. */
  because: string
}

/** What a test that was written for a finding has shown. */
export interface Reproduction {
  fingerprint: string
  /** `confirmed`: it fails as predicted. `refuted`: it passes. `inconclusive`: it could not be run, or says nothing. */
  result: 'confirmed' | 'refuted' | 'inconclusive'
  /** Which one showed it; null: none did. */
  test: string | null
  why: string
}

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

/** All judges have passed: reviewers look at it; then those who approved are asked about others' blocking findings. */
export interface Reviewing extends Work {
  status: 'reviewing'
  stage: 'review' | 'rebuttal'
  retry: number
}

/** What they found is sorted. */
export interface Triaging extends Work {
  status: 'triaging'
  findings: Finding[]
  retry: number
  /** Why the answer before did not do. */
  problems: string[]
}

/** A human says what to make of it: too much was rejected, reviewers do not agree, or they are all one model and do. */
export interface Disputed extends Work {
  status: 'disputed'
  about: 'triage' | 'split' | 'unverified'
  findings: Finding[]
  sorted: SortedFindings[]
  /** Fingerprints that the question is about. */
  over: string[]
}

/** Tests are written that fail if the findings are true. */
export interface Reproducing extends Work {
  status: 'reproducing'
  /** Accepted, and they block. */
  mend: Finding[]
  /** Accepted, and they do not. */
  also: Finding[]
}

/** The end of work that was only to be looked at. */
export interface Reviewed extends Work {
  status: 'reviewed'
  verdict: Opinion
}
