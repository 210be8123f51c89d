import type { DeliveryEvent, EventType } from '../../delivery/events.ts'

/** What an event of the log, or of a file from elsewhere, is not, though it should be; null: it has the shape of one. */
export function eventProblem(event: unknown): string | null {
  if (!isObject(event)) return 'there is no event in it'
  const { type } = event
  const fields = eventFields.get(type)
  if (fields === undefined) return 'it is of no kind of event that is known'
  const wrong = firstUnusable(fields, event)
  return wrong === null ? null : `${type} has no usable ${wrong}`
}

/** The same of what is around it. */
export function envelopeProblem(given: { [field in keyof typeof envelope]?: unknown }): string | null {
  const wrong = firstUnusable(envelopeFields, given)
  return wrong === null ? null : `it has no usable ${wrong}`
}

type Fields = [field: string, fits: (value: unknown) => boolean][]

/** Asked of each event that is read. */
function firstUnusable(fields: Fields, given: { [field: string]: unknown }): string | null {
  for (const [field, fits] of fields) if (!fits(given[field])) return field
  return null
}

const fieldsIn = (shape: Record<string, Kind>): Fields =>
  Object.entries(shape).map(([field, kind]) => [field, kinds[kind]])

const envelope = {
  ...{ delivery: 'text', version: 'number', at: 'number', schema: 'number', actor: 'text', cause: 'text?' },
  ...{ previous: 'text', hash: 'text' },
} as const satisfies Record<string, Kind>

type Kind = 'text' | 'text?' | 'number' | 'number?' | 'flag' | 'list' | 'object' | 'object?'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): boolean => typeof value === 'string'

const kinds: Record<Kind, (value: unknown) => boolean> = {
  text: isText,
  'text?': (value) => value === null || isText(value),
  number: Number.isFinite,
  'number?': (value) => value === null || Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: isObject,
  'object?': (value) => value === null || isObject(value),
}

type KindOf<V> = [V] extends [string]
  ? 'text'
  : [V] extends [string | null]
    ? 'text?'
    : [V] extends [number]
      ? 'number'
      : [V] extends [number | null]
        ? 'number?'
        : [V] extends [boolean]
          ? 'flag'
          : [V] extends [unknown[]]
            ? 'list'
            : [V] extends [object]
              ? 'object'
              : 'object?'

type Required<E> = { [F in keyof E as F extends 'type' ? never : undefined extends E[F] ? never : F]: KindOf<E[F]> }

// The compiler holds this table to the events: a field that is missing here, or is of another kind, is an error.
const step = { step: 'text' } as const
const ofStory = { ...step, story: 'text' } as const
const ofAny = { ...step, story: 'text?' } as const
const work = { ...ofStory, commit: 'text', tree: 'text' } as const
const failing = { ...ofAny, message: 'text', remedy: 'text' } as const
const who = { agent: 'text', model: 'text?' } as const
const byHuman = { story: 'text', by: 'text' } as const

const shapes: { [T in EventType]: Required<Extract<DeliveryEvent, { type: T }>> } = {
  DeliveryRequested: { requirement: 'object', repository: 'object', target: 'text', base: 'text', review: 'object?' },
  PolicyPinned: { policy: 'object', hash: 'text' },
  DeliveryPaused: { now: 'flag', by: 'text' },
  DeliveryResumed: { by: 'text' },
  DeliveryStopping: { reason: 'text', by: 'text' },
  DeliveryReopened: { cause: 'text' },
  DeliveryImported: { repository: 'object?', by: 'text' },
  DeliveryAdopted: { repository: 'object', target: 'text', by: 'text' },
  PlanGiven: { plan: 'object', revision: 'number', cause: 'text' },
  StepStarted: { step: 'object', try: 'number', worker: 'text', mark: 'text', reserveUsd: 'number' },
  StepParked: { ...ofAny, until: 'number', reason: 'text' },
  AgentRefused: { ...failing, ...who, account: 'text', kind: 'text', until: 'number?' },
  StepAborted: { ...ofAny, reason: 'text' },
  StepFailed: failing,
  BaseTried: { ...step, base: 'text', told: 'list' },
  PlanDrafted: { ...step, plan: 'object', revision: 'number', cause: 'text' },
  PlanFaulted: { ...step, problems: 'list' },
  QuestionAsked: { ...step, question: 'object' },
  QuestionExpired: { ...step, question: 'text', option: 'text' },
  StoryCoded: { ...work, summary: 'text', handoff: 'object', session: 'text?' },
  CodingFailed: { ...ofStory, kind: 'text', message: 'text', evidence: 'text', session: 'text?' },
  CoderAsked: { ...ofStory, text: 'text', options: 'list', permission: 'text?', session: 'text?' },
  StoryTidied: { ...work, changed: 'list' },
  Judged: { ...ofAny, judge: 'text', scope: 'text', commit: 'text', tree: 'text', verdict: 'object' },
  LineComposed: { ...work, onto: 'text' },
  ComposeConflicted: { ...ofStory, onto: 'text', conflicted: 'text', findings: 'list' },
  LineAdvanced: { ...ofStory, from: 'text', to: 'text', tree: 'text' },
  Landed: { ...step, from: 'text', to: 'text' },
  LandingRefused: { ...step, reason: 'text', target: 'text', message: 'text' },
  FixStoryAdded: { ...ofStory, spec: 'object', findings: 'list' },
  DeliveryCompleted: { ...step, result: 'text', reason: 'text', concerns: 'list' },
  ContextHarvested: { ...step, context: 'object' },
  RequirementRead: { ...step, seat: 'text', interpretation: 'object', quality: 'text' },
  ExamplesTried: { ...step, seat: 'text', tried: 'list' },
  ReadingFaulted: { ...step, seat: 'text', problems: 'list' },
  AssumptionsChecked: { ...step, checked: 'list' },
  PlanAudited: { ...step, revision: 'number', problems: 'list', concerns: 'list' },
  StoryRespecified: { ...ofStory, changes: 'object', cause: 'text' },
  StoryUpheld: { ...ofStory, why: 'text' },
  StorySplit: { ...ofStory, into: 'list', cause: 'text' },
  RespecifyFaulted: { ...ofStory, problems: 'list' },
  WorkspaceLent: { ...ofStory, path: 'text' },
  StoryReviewed: { ...ofStory, vantage: 'text', commit: 'text', word: 'object' },
  FindingsTriaged: { ...ofStory, sorted: 'list', verdict: 'text' },
  TriageFaulted: { ...ofStory, problems: 'list' },
  FindingsReproduced: { ...ofStory, reproductions: 'list', red: 'object?' },
  AgentStarted: {
    ...{ ...ofAny, ...who, role: 'text', command: 'list', environment: 'list', promptDigest: 'text' },
    ...{ promptSource: 'object', workspace: 'text', agentVersion: 'text?' },
  },
  SessionOpened: { ...ofAny, agent: 'text', session: 'text' },
  TurnSpent: { ...step, turn: 'object', totals: 'object?' },
  DayNearlySpent: { day: 'text', text: 'text' },
  DaySpent: { day: 'text', text: 'text' },
  WorkArchived: { story: 'text', ref: 'text', commit: 'text', reason: 'text' },
  ConcernRaised: { story: 'text?', text: 'text' },
  LandingBegun: { ...step, from: 'text', to: 'text', checkouts: 'list' },
  HiccupNoted: { ...ofAny, text: 'text' },
  QuestionAnswered: { question: 'text', option: 'text', text: 'text', by: 'text' },
  StoryTold: { ...byHuman, text: 'text' },
  StoryRetried: { ...byHuman, advice: 'text' },
  StorySkipped: { ...byHuman, reason: 'text' },
  StoryAmended: { ...byHuman, changes: 'object' },
  FindingWaived: { ...byHuman, fingerprint: 'text', because: 'text' },
}

const envelopeFields = fieldsIn(envelope)
const eventFields = new Map<unknown, Fields>(Object.entries(shapes).map(([type, shape]) => [type, fieldsIn(shape)]))
