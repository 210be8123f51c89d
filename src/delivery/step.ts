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
export type StepOf<V extends Verb> = Extract<Step, { verb: V }>

interface OfDelivery {
  id: StepId
  story: null
}

interface OfStory {
  id: StepId
  story: StoryId
}

/** A turn of an agent. */
interface Turn extends Who {
  /** Why it is this agent and model and not the first choice; empty when it is. */
  because: string
  base: CommitId
}

interface ForIntent extends OfDelivery, Turn {
  turn: number
  /** Whose reading, assumptions or examples they are. */
  seat: Seat
}

interface Counted {
  revision: number
  attempt: number
  round: number
}

/** What is said of a commit. */
interface AboutCommit extends Counted {
  base: CommitId
  commit: CommitId
  tree: TreeId
  retry: number
}

/** Collects what is known about the requirement, without a model, and records it. */
export interface HarvestContext extends OfDelivery {
  verb: 'HarvestContext'
  base: CommitId
}

/** An agent says what it takes the requirement to mean. */
export interface ReadRequirement extends ForIntent {
  verb: 'ReadRequirement'
  /** What the code was found to say against an earlier reading; with `again` only. */
  refuted: CheckedAssumption[]
  /** Why the answer before did not do. */
  problems: string[]
}

/** A reader says whether its reading has the examples of other readers so. */
export interface TryExamples extends ForIntent {
  verb: 'TryExamples'
  examples: (Example & { of: Seat })[]
}

/** An agent that knows nothing but these claims looks for what would refute them. */
export interface CheckAssumptions extends ForIntent {
  verb: 'CheckAssumptions'
  assumptions: Assumption[]
}

/** All checks on the commit from which all begins. */
export interface TryBase extends OfDelivery {
  verb: 'TryBase'
  base: CommitId
  /** Hash of the commands. */
  checks: string
}

export interface DraftPlan extends OfDelivery, Turn {
  verb: 'DraftPlan'
  revision: number
  turn: number
  /** Why the previous draft did not do: a human's words, or the validator's. */
  feedback: string[]
}

/** Another than its author looks for what is wrong with a plan. */
export interface AuditPlan extends OfDelivery, Turn {
  verb: 'AuditPlan'
  revision: number
  turn: number
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

export interface CodeStory extends OfStory, Turn, Counted {
  verb: 'CodeStory'
  /** Counts every coding turn of the story, so that no two have the same id. */
  turn: number
  /** What is to be written: tests that fail, or the code. */
  phase: 'tests' | 'code'
  tier: Tier
  /** What the workspace holds when the agent starts; `base` is what the story's diff is measured against. */
  from: CommitId
  findings: Finding[]
}

export interface TidyStory extends OfStory {
  verb: 'TidyStory'
  base: CommitId
  commit: CommitId
  round: number
  attempt: number
}

export interface Judge extends AboutCommit {
  id: StepId
  verb: 'Judge'
  /** Null when the line as a whole is judged. */
  story: StoryId | null
  judge: string
  /** `story`: its own commit. `line`: composed onto the line. `whole`: the result of all stories. */
  scope: 'story' | 'line' | 'whole'
  /** Hash of the policy it judges under: a verdict by other commands is another verdict. */
  policy: string
}

/** A judge that is an agent. Its outcome is a verdict like any other. */
export interface Review extends OfStory, Turn, AboutCommit {
  verb: 'Review'
  judge: 'verifier'
  policy: string
}

/** A turn of those who look at what all judges have passed. */
interface Looking extends OfStory, Turn, AboutCommit {
  /** 1, 2, 3: of this story. */
  reviewRound: number
}

/** A reviewer looks at a story's commit, from one vantage point, knowing nothing of the others. */
export interface ReviewStory extends Looking {
  verb: 'ReviewStory'
  vantage: Vantage
  /** In later rounds: the commit that was reviewed before; only the change since, and what is open, is looked at. */
  since: CommitId | null
  open: Finding[]
  /** Others' blocking findings on which this reviewer is asked, and on nothing else; empty: it reviews. */
  rebuts: Finding[]
}

export interface TriageFindings extends Looking {
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
export interface ReproduceFindings extends Looking {
  verb: 'ReproduceFindings'
  findings: Finding[]
}

/** A story that fails for its specification, or builds on what was planned otherwise, gets a better one, or becomes several. */
export interface RespecifyStory extends OfStory, Turn {
  verb: 'RespecifyStory'
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

interface InWorkspace extends OfStory, Counted {
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

export interface ComposeLine extends OfStory {
  verb: 'ComposeLine'
  onto: CommitId
  base: CommitId
  commit: CommitId
}

export interface AdvanceLine extends OfStory {
  verb: 'AdvanceLine'
  from: CommitId
  to: CommitId
  tree: TreeId
}

/** Irrevocable: once started it stays due until its outcome. */
export interface Land extends OfDelivery {
  verb: 'Land'
  target: string
  from: CommitId
  to: CommitId
  tree: TreeId
  landing: number
}

/** The result of all stories, up to this commit, is red. */
export interface AddFixStory extends OfDelivery {
  verb: 'AddFixStory'
  commit: CommitId
  spec: Story
  findings: Finding[]
}

export interface CompleteDelivery extends OfDelivery {
  verb: 'CompleteDelivery'
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

/** Whatever names an agent is a turn of one. */
export type AgentStep = Extract<Step, { agent: string }>
export const usesAgent = (step: Step): step is AgentStep => 'agent' in step
export const whoTakes = ({ agent, model }: AgentStep): Who => ({ agent, model })

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** Gives a step the id that follows from everything in it. */
export function identified<S extends WithoutId<Step>>(step: S): S & { id: string } {
  return { ...step, id: `${step.verb}-${hashOf(step)}` }
}
