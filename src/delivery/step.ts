import type { CommitId, StepId, StoryId, TreeId, Who } from './ids.ts'
import type { CheckAssumptions, HarvestContext, ReadRequirement, TryExamples } from './intent/steps.ts'
import type { Finding } from './judging/finding.ts'
import type { Story } from './plan/plan.ts'
import type { AuditPlan, HarvestStory, LendWorkspace, RespecifyStory } from './plan/steps.ts'
import type { Tier } from './policy.ts'
import type { Question } from './question.ts'
import type { ReproduceFindings, ReviewStory, TriageFindings } from './review/steps.ts'

/** One thing the engine performs, with one outcome. Its id is a hash of everything in it. */
export type Step =
  | HarvestContext
  | ReadRequirement
  | CheckAssumptions
  | TryExamples
  | TryBase
  | DraftPlan
  | AuditPlan
  | AskQuestion
  | CloseQuestion
  | CodeStory
  | TidyStory
  | Judge
  | Review
  | ReviewStory
  | TriageFindings
  | ReproduceFindings
  | RespecifyStory
  | LendWorkspace
  | HarvestStory
  | ComposeLine
  | AdvanceLine
  | Land
  | AddFixStory
  | CompleteDelivery

export type Verb = Step['verb']

/** All checks on the commit from which all begins. */
export interface TryBase {
  id: StepId
  verb: 'TryBase'
  story: null
  base: CommitId
  /** Hash of the commands. */
  checks: string
}

export interface DraftPlan {
  id: StepId
  verb: 'DraftPlan'
  story: null
  agent: string
  model: string | null
  /** Why it is this agent and not the first of its chain; empty when it is. */
  because: string
  base: CommitId
  revision: number
  turn: number
  /** Why the previous draft did not do: a human's words, or the validator's. */
  feedback: string[]
}

export interface AskQuestion {
  id: StepId
  verb: 'AskQuestion'
  story: StoryId | null
  question: Question
}

/** The deadline has passed: the default stands. */
export interface CloseQuestion {
  id: StepId
  verb: 'CloseQuestion'
  story: StoryId | null
  question: string
  option: string
}

export interface CodeStory {
  id: StepId
  verb: 'CodeStory'
  story: StoryId
  revision: number
  attempt: number
  round: number
  /** Counts every coding turn of the story, so that no two have the same id. */
  turn: number
  /** What is to be written: tests that fail, or the code. */
  phase: 'tests' | 'code'
  agent: string
  tier: Tier
  model: string | null
  /** Why it is this agent and model and not those that the ladder names; empty when they are. */
  because: string
  /** What the story's diff is measured against. */
  base: CommitId
  /** What the workspace holds when the agent starts. */
  from: CommitId
  findings: Finding[]
}

export interface TidyStory {
  id: StepId
  verb: 'TidyStory'
  story: StoryId
  base: CommitId
  commit: CommitId
  round: number
  attempt: number
}

export interface Judge {
  id: StepId
  verb: 'Judge'
  /** Null when the line as a whole is judged. */
  story: StoryId | null
  judge: string
  /** `story`: its own commit. `line`: composed onto the line. `whole`: the result of all stories. */
  scope: 'story' | 'line' | 'whole'
  base: CommitId
  commit: CommitId
  tree: TreeId
  revision: number
  attempt: number
  round: number
  retry: number
  /** Hash of the policy it judges under: a verdict by other commands is another verdict. */
  policy: string
}

/** A judge that is an agent. Its outcome is a verdict like any other. */
export interface Review extends Omit<Judge, 'verb' | 'story' | 'judge' | 'scope'> {
  verb: 'Review'
  story: StoryId
  judge: 'verifier'
  agent: string
  model: string | null
  /** Why it is this agent and not the first of its chain; empty when it is. */
  because: string
}

export interface ComposeLine {
  id: StepId
  verb: 'ComposeLine'
  story: StoryId
  onto: CommitId
  base: CommitId
  commit: CommitId
}

export interface AdvanceLine {
  id: StepId
  verb: 'AdvanceLine'
  story: StoryId
  from: CommitId
  to: CommitId
  tree: TreeId
}

/** Irrevocable: once started it stays due until its outcome. */
export interface Land {
  id: StepId
  verb: 'Land'
  story: null
  target: string
  from: CommitId
  to: CommitId
  tree: TreeId
  landing: number
}

/** The result of all stories, up to this commit, is red. */
export interface AddFixStory {
  id: StepId
  verb: 'AddFixStory'
  story: null
  commit: CommitId
  spec: Story
  findings: Finding[]
}

export interface CompleteDelivery {
  id: StepId
  verb: 'CompleteDelivery'
  story: null
  result: Result
  reason: string
  concerns: string[]
}

export const results = ['done', 'done-with-concerns', 'blocked', 'stopped', 'budget', 'crashed'] as const
export type Result = (typeof results)[number]

export const isIrrevocable = (step: Step): boolean => step.verb === 'Land'
/** What takes one of the places for check runs: of the judges only an inspection runs no command. */
export const runsCommands = (step: Step): boolean =>
  step.verb === 'TidyStory' || step.verb === 'TryBase' || (step.verb === 'Judge' && step.judge !== 'inspection')
export const whoTakes = ({ agent, model }: AgentStep): Who => ({ agent, model })
/** Whatever names an agent is a turn of one. */
export type AgentStep = Extract<Step, { agent: string }>

const turns: Record<AgentStep['verb'], true> = {
  ReadRequirement: true,
  CheckAssumptions: true,
  TryExamples: true,
  DraftPlan: true,
  AuditPlan: true,
  CodeStory: true,
  Review: true,
  ReviewStory: true,
  TriageFindings: true,
  ReproduceFindings: true,
  RespecifyStory: true,
}
export const usesAgent = (step: Step): step is AgentStep => Object.hasOwn(turns, step.verb)
