import type { CommitId, DeliveryId, Instant, StepId, StoryId, TreeId } from './ids.ts'
import type { Harvest, Requirement } from './intent/context.ts'
import type { CheckedAssumption, Interpretation, Seat, TriedExample } from './intent/interpretation.ts'
import type { Finding, Verdict } from './judging/finding.ts'
import type { Turn, Usage } from './money/ledger.ts'
import type { Plan, Story } from './plan/plan.ts'
import type { Policy } from './policy.ts'
import type { Question } from './question.ts'
import type { Opinion, Reproduction, ReviewSubject, ReviewWord, SortedFindings, Vantage } from './review/review.ts'
import type { Result, Step } from './step.ts'
import type { Handoff } from './story/handoff.ts'

/** What is on record around each event. */
export interface Envelope {
  delivery: DeliveryId
  /** 1, 2, 3 … within the delivery. */
  version: number
  at: Instant
  event: DeliveryEvent
}

export type DeliveryEvent = Lifecycle | Planning | Stepping | Outcome | Interim | Human

export type Lifecycle =
  | ({ type: 'DeliveryRequested' } & Requested)
  | { type: 'PolicyPinned'; policy: Policy; hash: string }
  | { type: 'DeliveryPaused'; now: boolean; by: string }
  | { type: 'DeliveryResumed'; by: string }
  | { type: 'DeliveryStopping'; reason: string; by: string }
  | { type: 'DeliveryReopened'; cause: string }
  /** All before it is what a file said. It is added here, so no file can leave it out. Null: in no repository. */
  | { type: 'DeliveryImported'; repository: { id: string; path: string } | null; by: string }
  /** A human goes on with it here, from where the target is here. */
  | { type: 'DeliveryAdopted'; repository: { id: string; path: string }; target: CommitId; by: string }

export interface Requested {
  requirement: Requirement
  repository: { id: string; path: string }
  target: string
  base: CommitId
  /** Work that is only to be reviewed; null: something is to be made. */
  review: ReviewSubject | null
}

type Planning = { type: 'PlanGiven'; plan: Plan; revision: number; cause: string }

export type Stepping =
  | {
      type: 'StepStarted'
      step: Step
      try: number
      worker: string
      /** In the environment of every process of this try, so that none outlives it unseen. */
      mark: string
      reserveUsd: number
    }
  | { type: 'StepParked'; step: StepId; story: StoryId | null; until: Instant; reason: string }
  /** The agent's service said no to the turn, or could not be reached: nothing about the work. */
  | {
      type: 'AgentRefused'
      step: StepId
      story: StoryId | null
      agent: string
      model: string | null
      /** Whose service it is: the same for every delivery that uses it. */
      account: string
      kind: Refusal
      /** When it will take turns again, where it told. */
      until: Instant | null
      message: string
      remedy: string
    }
  | { type: 'StepAborted'; step: StepId; story: StoryId | null; reason: string }
  /** `environment`: no work is at fault, but the machine or the settings. */
  | {
      type: 'StepFailed'
      step: StepId
      story: StoryId | null
      message: string
      remedy: string
      environment?: true
    }

export type Refusal =
  | 'rate-limit'
  | 'overloaded'
  | 'network'
  | 'quota'
  | 'auth'
  | 'model'
  | 'bad-request'
  | 'permission'
  | 'spawn'
  /** The session is gone: the turn is taken again in a fresh one. */
  | 'session'

/** What a performer returns. Accepted only from the latest start of its step. */
export type Outcome =
  | IntentOutcome
  | SpecOutcome
  | ReviewOutcome
  | { type: 'BaseTried'; step: StepId; base: CommitId; told: string[] }
  | { type: 'PlanDrafted'; step: StepId; plan: Plan; revision: number; cause: string }
  | { type: 'PlanFaulted'; step: StepId; problems: string[] }
  | { type: 'QuestionAsked'; step: StepId; question: Question }
  | { type: 'QuestionExpired'; step: StepId; question: string; option: string }
  | {
      type: 'StoryCoded'
      step: StepId
      story: StoryId
      commit: CommitId
      tree: TreeId
      summary: string
      handoff: Handoff
      session: string | null
    }
  | {
      type: 'CodingFailed'
      step: StepId
      story: StoryId
      kind: CodingFailure
      message: string
      evidence: string
      session: string | null
    }
  | {
      type: 'CoderAsked'
      step: StepId
      story: StoryId
      text: string
      options: string[]
      /** What it wants to be allowed to do; null when it only wants to know something. */
      permission: string | null
      session: string | null
    }
  | { type: 'StoryTidied'; step: StepId; story: StoryId; commit: CommitId; tree: TreeId; changed: string[] }
  | {
      type: 'Judged'
      step: StepId
      story: StoryId | null
      judge: string
      scope: 'story' | 'line' | 'whole'
      commit: CommitId
      tree: TreeId
      verdict: Verdict
      /** Of an inspection only: from where the diff calls to be reviewed. */
      calls?: Vantage[]
    }
  | { type: 'LineComposed'; step: StepId; story: StoryId; onto: CommitId; commit: CommitId; tree: TreeId }
  | {
      type: 'ComposeConflicted'
      step: StepId
      story: StoryId
      onto: CommitId
      /** The merge with its conflict markers, as a commit on the line's tip: where the coder goes on. */
      conflicted: CommitId
      findings: Finding[]
    }
  | { type: 'LineAdvanced'; step: StepId; story: StoryId; from: CommitId; to: CommitId; tree: TreeId }
  | { type: 'Landed'; step: StepId; from: CommitId; to: CommitId }
  | { type: 'LandingRefused'; step: StepId; reason: 'moved' | 'dirty'; target: CommitId; message: string }
  | { type: 'FixStoryAdded'; step: StepId; story: StoryId; spec: Story; findings: Finding[] }
  | { type: 'DeliveryCompleted'; step: StepId; result: Result; reason: string; concerns: string[] }

export type IntentOutcome =
  | { type: 'ContextHarvested'; step: StepId; context: Harvest }
  | { type: 'RequirementRead'; step: StepId; seat: Seat; interpretation: Interpretation; quality: 'full' | 'partial' }
  | { type: 'ReadingFaulted'; step: StepId; seat: Seat; problems: string[] }
  /** What the reader gave no usable word on is unknown. */
  | { type: 'ExamplesTried'; step: StepId; seat: Seat; tried: TriedExample[] }
  /** What the checker gave no usable word on is unknown. */
  | { type: 'AssumptionsChecked'; step: StepId; checked: CheckedAssumption[] }

export type SpecOutcome =
  /** `problems` are to be mended by another draft; `concerns` only told, also that there was no usable answer. */
  | { type: 'PlanAudited'; step: StepId; revision: number; problems: string[]; concerns: string[] }
  | { type: 'StoryRespecified'; step: StepId; story: StoryId; changes: Partial<Omit<Story, 'id'>>; cause: string }
  /** What it builds on is not as planned, and still it is right as it is. */
  | { type: 'StoryUpheld'; step: StepId; story: StoryId; why: string }
  | { type: 'StorySplit'; step: StepId; story: StoryId; into: Story[]; cause: string }
  | { type: 'RespecifyFaulted'; step: StepId; story: StoryId; problems: string[] }
  /** A human may work in it now. What they leave comes as `StoryCoded`. */
  | { type: 'WorkspaceLent'; step: StepId; story: StoryId; path: string }

export type ReviewOutcome =
  | { type: 'StoryReviewed'; step: StepId; story: StoryId; vantage: Vantage; commit: CommitId; word: ReviewWord }
  /** `verdict` is the triager's own; what follows from what it accepted is what counts. */
  | { type: 'FindingsTriaged'; step: StepId; story: StoryId; sorted: SortedFindings[]; verdict: Opinion }
  | { type: 'TriageFaulted'; step: StepId; story: StoryId; problems: string[] }
  | {
      type: 'FindingsReproduced'
      step: StepId
      story: StoryId
      reproductions: Reproduction[]
      /** The tests that failed as predicted, on top of what was reviewed; null when there are none. */
      red: { commit: CommitId; tree: TreeId } | null
    }

export type CodingFailure = 'crash' | 'timeout' | 'idle' | 'stuck' | 'empty' | 'gave-up' | 'refused' | SpecFault

/** `bad-spec`: the story contradicts itself or the code. `intent-gap`: what is wanted cannot be told from it. */
export type SpecFault = 'bad-spec' | 'intent-gap'

/** Facts recorded while a step runs; they decide nothing, but recovery, ledger and people need them. */
export type Interim =
  | {
      type: 'AgentStarted'
      step: StepId
      story: StoryId | null
      role: string
      agent: string
      model: string | null
      command: string[]
      environment: string[]
      promptDigest: string
      promptSource: PromptSource
      workspace: string
      agentVersion: string | null
      /** How often it was asked before in this try: then it is a start of its own. */
      again?: number
    }
  | { type: 'SessionOpened'; step: StepId; story: StoryId | null; agent: string; session: string }
  /** `totals`: of the session after this turn, where the agent tells only those. */
  | { type: 'TurnSpent'; step: StepId; turn: Turn; totals: Usage | null; context?: number }
  /** Over all deliveries of this home. */
  | { type: 'DayNearlySpent'; day: string; text: string }
  | { type: 'DaySpent'; day: string; text: string }
  | { type: 'WorkArchived'; story: StoryId; ref: string; commit: CommitId; reason: string }
  | { type: 'ConcernRaised'; story: StoryId | null; text: string }
  /** From here on the target moves, and these checkouts of it follow; recovery finds here which they were. */
  | { type: 'LandingBegun'; step: StepId; from: CommitId; to: CommitId; checkouts: string[] }
  /** Something of the world broke off, and was done again or finished; nobody is charged for it. */
  | { type: 'HiccupNoted'; step: StepId; story: StoryId | null; text: string }

export type Human =
  | { type: 'QuestionAnswered'; question: string; option: string; text: string; by: string }
  | { type: 'StoryTold'; story: StoryId; text: string; by: string }
  | { type: 'StoryRetried'; story: StoryId; advice: string; by: string }
  | { type: 'StorySkipped'; story: StoryId; reason: string; by: string }
  | { type: 'StoryAmended'; story: StoryId; changes: Partial<Omit<Story, 'id'>>; by: string }
  | { type: 'FindingWaived'; story: StoryId; fingerprint: string; because: string; by: string }

export type EventType = DeliveryEvent['type']

/** How far a role is kept apart from what others have said. */
export type Isolation = 'full' | 'task' | 'blind' | 'custom'

/** What a prompt was made of, so that it can be made again. */
export interface PromptSource {
  /** `coder`, `challenger-plan`: one of the prompts that there are. */
  prompt: string
  /** The path of the repository's own text for it, at the commit that the delivery began with; null: ours. */
  override: string | null
  /** Of that text. */
  hash: string
  isolation: Isolation
  /** The sections that were shown, in order. */
  sections: string[]
}
