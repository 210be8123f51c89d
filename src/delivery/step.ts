import { hashOf } from '../std/hash.ts'
import type { CommitId, StepId, StoryId, TreeId, Who } from './ids.ts'
import type { Assumption, CheckedAssumption, Example, Seat } from './intent/interpretation.ts'
import type { Finding } from './judging/finding.ts'
import type { Story } from './plan/plan.ts'
import type { Tier } from './policy.ts'
import type { Question } from './question.ts'
import type { Vantage } from './review/review.ts'

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

/** Collects what is known about the requirement, without a model, and records it. */
export interface HarvestContext {
  id: StepId
  verb: 'HarvestContext'
  story: null
  base: CommitId
}

/** An agent says what it takes the requirement to mean. */
export interface ReadRequirement {
  id: StepId
  verb: 'ReadRequirement'
  story: null
  seat: Seat
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** What the code was found to say against an earlier reading; with `again` only. */
  refuted: CheckedAssumption[]
  /** Why the answer before did not do. */
  problems: string[]
}

/** A reader says whether its reading has the examples of other readers so. */
export interface TryExamples {
  id: StepId
  verb: 'TryExamples'
  story: null
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** Whose reading they are held against. */
  seat: Seat
  examples: (Example & { of: Seat })[]
}

/** An agent that knows nothing but these claims looks for what would refute them. */
export interface CheckAssumptions {
  id: StepId
  verb: 'CheckAssumptions'
  story: null
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** Whose assumptions they are. */
  seat: Seat
  assumptions: Assumption[]
}

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

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** Gives a step the id that follows from everything in it. */
export function identified<S extends WithoutId<Step>>(step: S): S & { id: string } {
  return { ...step, id: `${step.verb}-${hashOf(step)}` }
}
