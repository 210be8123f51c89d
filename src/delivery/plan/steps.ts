import type { CommitId, StepId, StoryId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'

/** Another than its author looks for what is wrong with a plan. */
export interface AuditPlan {
  id: StepId
  verb: 'AuditPlan'
  story: null
  agent: string
  model: string | null
  because: string
  base: CommitId
  revision: number
  turn: number
}

interface InWorkspace {
  id: StepId
  story: StoryId
  revision: number
  attempt: number
  round: number
  turn: number
  base: CommitId
  /** What the workspace holds when the human begins. */
  from: CommitId
}

/** Makes a workspace ready for a human. */
export interface LendWorkspace extends InWorkspace {
  verb: 'LendWorkspace'
}

/** The human is done: what is in the workspace becomes a commit. Its outcome is that of a coding turn. */
export interface HarvestStory extends InWorkspace {
  verb: 'HarvestStory'
}

/** A story that fails for its specification, or builds on what was planned otherwise, gets a better one, or becomes several. */
export interface RespecifyStory {
  id: StepId
  verb: 'RespecifyStory'
  story: StoryId
  agent: string
  model: string | null
  because: string
  base: CommitId
  revision: number
  turn: number
  as: 'amended' | 'split'
  /** Why it failed, or why it is looked at again. */
  reason: string
  /** Stories that departed from the plan: it may still hold as it is. Not there when it failed itself. */
  departed?: StoryId[]
  findings: Finding[]
  /** Why the answer before did not do. */
  problems: string[]
}
