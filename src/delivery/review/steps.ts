import type { CommitId, StepId, StoryId, TreeId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Vantage } from './review.ts'

interface AboutCommit {
  id: StepId
  story: StoryId
  agent: string
  model: string | null
  because: string
  base: CommitId
  commit: CommitId
  tree: TreeId
  revision: number
  attempt: number
  round: number
  /** 1, 2, 3: of this story. */
  reviewRound: number
  retry: number
}

/** A reviewer looks at a story's commit, from one vantage point, knowing nothing of the others. */
export interface ReviewStory extends AboutCommit {
  verb: 'ReviewStory'
  vantage: Vantage
  /** In later rounds: the commit that was reviewed before; only the change since, and what is open, is looked at. */
  since: CommitId | null
  open: Finding[]
  /** Others' blocking findings on which this reviewer is asked, and on nothing else; empty: it reviews. */
  rebuts: Finding[]
}

export interface TriageFindings extends AboutCommit {
  verb: 'TriageFindings'
  findings: Finding[]
  /** Fingerprints of those at places that the change did not touch. */
  outside: string[]
  /** Fingerprints of those that another reviewer disputes. */
  disputed: string[]
  /** Why the answer before did not do. */
  problems: string[]
}

/** For each finding a test that would fail if it is true. */
export interface ReproduceFindings extends AboutCommit {
  verb: 'ReproduceFindings'
  findings: Finding[]
}
