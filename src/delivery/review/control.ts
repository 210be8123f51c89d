import type { CommitId, TreeId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Opinion, SortedFindings } from './review.ts'

/** All judges have passed: reviewers look at it; then those who approved are asked about others' blocking findings. */
export interface Reviewing {
  status: 'reviewing'
  base: CommitId
  commit: CommitId
  tree: TreeId
  stage: 'review' | 'rebuttal'
  retry: number
}

/** What they found is sorted. */
export interface Triaging {
  status: 'triaging'
  base: CommitId
  commit: CommitId
  tree: TreeId
  findings: Finding[]
  retry: number
  /** Why the answer before did not do. */
  problems: string[]
}

/** A human says what to make of it: too much was rejected, reviewers do not agree, or they are all one model and do. */
export interface Disputed {
  status: 'disputed'
  base: CommitId
  commit: CommitId
  tree: TreeId
  about: 'triage' | 'split' | 'unverified'
  findings: Finding[]
  sorted: SortedFindings[]
  /** Fingerprints that the question is about. */
  over: string[]
}

/** Tests are written that fail if the findings are true. */
export interface Reproducing {
  status: 'reproducing'
  base: CommitId
  commit: CommitId
  tree: TreeId
  /** Accepted, and they block. */
  mend: Finding[]
  /** Accepted, and they do not. */
  also: Finding[]
}

/** The end of work that was only to be looked at. */
export interface Reviewed {
  status: 'reviewed'
  base: CommitId
  commit: CommitId
  tree: TreeId
  verdict: Opinion
}
