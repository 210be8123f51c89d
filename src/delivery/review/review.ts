import type { CommitId, TreeId } from '../ids.ts'
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
export interface ReviewSubject {
  base: CommitId
  commit: CommitId
  tree: TreeId
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
