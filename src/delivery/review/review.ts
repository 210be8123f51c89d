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
] as const
export type Vantage = (typeof vantages)[number]

/** What one reviewer came back with. A failed one is absent, never content. */
export type ReviewWord =
  | {
      status: 'returned'
      verdict: 'approve' | 'needs-work'
      findings: Finding[]
      /** What it looked at: an approval that names nothing is none. */
      checked: string[]
      criteria: CriterionWord[]
      checklist: ChecklistWord[]
      /** On other reviewers' findings, when it was asked about them. */
      rebuttals: Rebuttal[]
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

export const fates = ['accepted', 'deferred', 'rejected'] as const

/** What the triager makes of one finding. */
export interface Sorted {
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
  test: string | null
  why: string
}
