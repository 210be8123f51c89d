import { never } from '../std/never.ts'
import type { DeliveryEvent, Refusal, Requested } from './events.ts'
import type { DeliveryId, Instant, QuestionId, StepId, StoryId, TreeId, Who } from './ids.ts'
import { type IntentState, noIntent } from './intent/state.ts'
import type { LineState } from './line/state.ts'
import { type MoneyState, noMoney } from './money/ledger.ts'
import type { PlanState } from './plan/plan.ts'
import type { Policy } from './policy.ts'
import type { Answer, Question } from './question.ts'
import type { Result, Step } from './step.ts'
import type { Correction } from './story/handoff.ts'
import type { StoryState } from './story/story.ts'

/** What is now true of one delivery. Plain data, so that a snapshot is its JSON. */
export interface DeliveryState {
  id: DeliveryId
  version: number
  request: Request | null
  policy: Policy | null
  policyHash: string
  mode: Mode
  /** It came from a file, and nobody has adopted it: it is there to be looked at, and nothing of it is due. */
  imported: { at: Instant; by: string } | null
  intent: IntentState
  plan: PlanState
  /** In plan order. */
  order: StoryId[]
  stories: Record<StoryId, StoryState>
  line: LineState
  questions: Record<QuestionId, Asked>
  /** Steps that were started and have no outcome yet. */
  running: Record<StepId, Started>
  parked: Record<StepId, Parked>
  /** Checks that passed, by tree. */
  proven: Record<TreeId, string[]>
  money: MoneyState
  /** Agents that take no turns now, and models of them. */
  absences: Absences
  /** When a human last let it go on. */
  resumedAt: Instant
  agentStarts: number
  /** How often a step of the delivery as a whole had to wait, since a human last said to go on. */
  parks: number
  /** A step of the delivery as a whole that the world refused. */
  trouble: Trouble | null
  /** The commands with which the base was tried; empty: it was not. */
  baseTried: string
  /** The step that ends the delivery, as long as nothing has happened since it began. */
  ending: StepId | null
  concerns: string[]
  /** Earlier assumptions that the code proved wrong: all later roles hear of them. */
  corrections: (Correction & { story: StoryId })[]
}

export interface Trouble {
  step: StepId
  message: string
  remedy: string
  /** The machine or the settings are at fault: nothing begins until a human has seen to it. */
  environment?: true
  /** It is about the base, before any change. */
  base?: true
}

/** An agent, or one of its models, that takes no turns now. It says nothing about the work that the agent has done. */
export interface Absence extends Who {
  kind: Refusal
  since: Instant
  /** Null: until a human has seen to it. */
  until: Instant | null
  /** In a row. */
  refusals: number
  message: string
  remedy: string
}

export type Absences = Record<string, Absence>

export interface Request extends Requested {
  at: Instant
}

export type Mode =
  | { status: 'active' }
  | { status: 'paused'; since: Instant; now: boolean }
  | { status: 'stopping'; reason: string }
  | { status: 'ended'; result: Result; reason: string; concerns: string[]; at: Instant }

export interface Asked {
  question: Question
  at: Instant
  answer: Answer | null
}

export interface Started {
  step: Step
  try: number
  worker: string
  mark: string
  at: Instant
  /** Earlier starts that ended with the death of our own process. */
  lost: number
}

export interface Parked {
  until: Instant
  reason: string
  try: number
}

export function initialState(id: DeliveryId): DeliveryState {
  return {
    id,
    version: 0,
    request: null,
    policy: null,
    policyHash: '',
    mode: { status: 'active' },
    imported: null,
    intent: noIntent(),
    plan: {
      control: { status: 'drafting', feedback: [] },
      plan: null,
      revision: 0,
      given: false,
      repairs: 0,
      turns: 0,
      redrafts: 0,
      replans: 0,
      oversize: [],
      audits: 0,
      audit: null,
    },
    order: [],
    stories: {},
    line: {
      tip: '',
      tree: null,
      target: '',
      train: [],
      commits: [],
      landings: 0,
      begun: null,
      begunIn: null,
      landing: { status: 'idle' },
      whole: null,
      silences: 0,
      mends: 0,
    },
    questions: {},
    running: {},
    parked: {},
    proven: {},
    money: noMoney(),
    absences: {},
    resumedAt: 0,
    agentStarts: 0,
    parks: 0,
    trouble: null,
    baseTried: '',
    ending: null,
    concerns: [],
    corrections: [],
  }
}

/** The pinned policy; asking before it is pinned is a bug of ours. */
export function policyOf(state: DeliveryState): Policy {
  if (state.policy === null) throw new Error('broken invariant: no policy is pinned yet')
  return state.policy
}

export function storyOf(state: DeliveryState, id: StoryId): StoryState {
  const story = state.stories[id]
  if (story === undefined) throw new Error(`broken invariant: no story ${id}`)
  return story
}

export const runningSteps = ({ running }: DeliveryState): Step[] => Object.values(running).map(({ step }) => step)

export const storiesOf = (state: DeliveryState): StoryState[] => state.order.map((id) => storyOf(state, id))

/** Said once, kept short: the report lists them. */
export function raiseConcern(state: DeliveryState, text: string): void {
  if (!state.concerns.includes(text) && state.concerns.length < 200) state.concerns.push(text)
}

/** What each of these events makes of the state: one that has no entry does not compile. */
export type Reducers<E extends DeliveryEvent, G = Instant> = {
  [T in E['type']]: (state: DeliveryState, event: Extract<E, { type: T }>, given: G) => void
}

export function reduce<E extends DeliveryEvent, G>(
  reducers: Reducers<E, G>,
  state: DeliveryState,
  { event, given }: { event: E; given: G },
): void {
  // Compiled code knows all types: another one came from a file.
  if (!Object.hasOwn(reducers, event.type)) return never(event as never)
  const reducer = reducers[event.type as E['type']] as (state: DeliveryState, event: E, given: G) => void
  reducer(state, event, given)
}
