import { hash } from 'node:crypto'
import type { DeliveryEvent, EventType } from '../../delivery/events.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Recorded } from '../../ports/event-log.ts'
import { canonical } from '../../std/hash.ts'

// The hash chain is the same in every log, so that a delivery exported from one is adopted by another.

/** What the first event of each delivery follows from. */
export const genesis = hash('sha256', 'ropewalk')

/** An event's hash, from its record text. */
export const digestOf = (text: string): string => hash('sha256', text)

/** What a hash covers: the envelope on one line, the event with sorted keys on the other. */
export function recordText(entry: Unhashed): string {
  return `${envelopeText(entry)}\n${canonical(entry.event)}`
}

type Unhashed = Omit<Recorded, 'position' | 'hash'>

export function envelopeText({ previous, delivery, version, at, schema, actor, cause }: Unhashed): string {
  return JSON.stringify([previous, delivery, version, at, schema, actor, cause])
}

/** As it was written, which is what its hash is of. */
export function writtenRecord(position: number, hash: string, text: string): Recorded {
  const cut = text.indexOf('\n')
  const [previous, delivery, version, at, schema, actor, cause] = JSON.parse(text.slice(0, cut)) as EnvelopeFields
  const event = JSON.parse(text.slice(cut + 1)) as DeliveryEvent
  return { position, delivery, version, at, schema, actor, cause, previous, hash, event }
}

/** In today's shape. Throws where it is no event. */
export function liftedRecord(written: Recorded): Recorded {
  const event = lift(written.schema, written.event)
  const problem = envelopeProblem(written) ?? eventProblem(event)
  if (problem !== null) throw new SyntaxError(problem)
  return event === written.event ? written : { ...written, event }
}

type EnvelopeFields = [string, string, number, number, number, string, string | null]

export interface Link {
  delivery: string
  version: number
  hash: string
}

/** What is wrong with this event as the one after `before`, or null. */
export function linkProblem(before: Link, entry: Recorded): string | null {
  if (entry.delivery !== before.delivery) return `it belongs to delivery ${entry.delivery}`
  if (entry.version !== before.version + 1) return `it says that it is version ${entry.version}`
  if (entry.previous !== before.hash) return 'it does not follow from the event before it'
  return null
}

/** The first event of a whole delivery that breaks its chain. */
export function firstBreak(delivery: string, events: Recorded[]): { version: number; problem: string } | null {
  let before: Link = { delivery, version: 0, hash: genesis }
  for (const entry of events) {
    const problem =
      linkProblem(before, entry) ?? (digestOf(recordText(entry)) === entry.hash ? null : 'its hash is wrong')
    if (problem !== null) return { version: before.version + 1, problem }
    before = entry
  }
  return null
}

/** The values of an exported file as what they are, in whatever shape. */
export function recordedIn(values: unknown[], place: string): Recorded[] {
  const events = values.map((value, index) => {
    const entry = (typeof value === 'object' && value !== null ? value : {}) as Recorded
    const problem = envelopeProblem(entry)
    if (problem === null) return entry
    const remedy = 'nothing was imported; give a file that `ropewalk export` wrote'
    throw new TerminalError(`${place}: event ${index + 1} is not a recorded event: ${problem}`, remedy)
  })
  if (events[0]?.version === 1 && events[0].previous === '0'.repeat(64)) throw beforeFirstRelease(place)
  const newer = events.find(({ schema }) => schema > schemaNumber)
  if (newer !== undefined) throw newerThanUs(newer.schema)
  return events
}

/** The shape in which events are written today. */
export const schemaNumber = 1

/** Turns an event of any shape that a release has written into today's; the only place that knows earlier shapes. */
function lift(schema: number, event: DeliveryEvent): DeliveryEvent {
  if (schema > schemaNumber) throw newerThanUs(schema)
  return event
}

export function newerThanUs(schema: number): TerminalError {
  return new TerminalError(
    `the log was written by a newer ropewalk (schema ${schema}, this one knows ${schemaNumber})`,
    'upgrade ropewalk',
  )
}

/** `what`: the file, by its path. */
export function beforeFirstRelease(what: string): TerminalError {
  return new TerminalError(
    `${what} was written by a version of ropewalk before its first release, and cannot be read`,
    'finish what is in it with the version that wrote it, or move it away and begin anew',
  )
}

/** What an event of the log, or of a file from elsewhere, is not, though it should be; null: it has the shape of one. */
function eventProblem(event: unknown): string | null {
  if (!isObject(event)) return 'there is no event in it'
  const { type } = event
  const fields = eventFields.get(type)
  if (fields === undefined) return 'it is of no kind of event that is known'
  const wrong = firstUnusable(fields, event)
  return wrong === null ? null : `${type} has no usable ${wrong}`
}

/** The same of what is around it. */
function envelopeProblem(given: { [field in keyof typeof envelope]?: unknown }): string | null {
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
  Object.entries(shape).map(([field, kind]) => {
    const fits = kinds[kind.replace('?', '') as keyof typeof kinds]
    return [field, kind.endsWith('?') ? (value) => value === null || fits(value) : fits]
  })

const envelope = {
  ...{ delivery: 'text', version: 'number', at: 'number', schema: 'number', actor: 'text', cause: 'text?' },
  ...{ previous: 'text', hash: 'text' },
} as const satisfies Record<string, Kind>

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kinds = {
  text: (value: unknown) => typeof value === 'string',
  number: Number.isFinite,
  flag: (value: unknown) => typeof value === 'boolean',
  list: Array.isArray,
  object: isObject,
}

/** With a question mark it may be null. */
type Kind = `${keyof typeof kinds}${'' | '?'}`

type KindOf<V> = `${KindOfValue<Exclude<V, null>>}${null extends V ? '?' : ''}`
type KindOfValue<V> = [V] extends [string]
  ? 'text'
  : [V] extends [number]
    ? 'number'
    : [V] extends [boolean]
      ? 'flag'
      : [V] extends [unknown[]]
        ? 'list'
        : 'object'

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
