import type { CommitId, StoryId } from '../ids.ts'
import type { WorkKind } from '../intent/context.ts'
import type { StructuredReading } from '../intent/interpretation.ts'
import { type IntentState, noIntent, workKindOf } from '../intent/state.ts'
import type { Finding } from '../judging/finding.ts'
import { departuresFor } from '../plan/course/departures.ts'
import type { Outline, Plan, Story } from '../plan/plan.ts'
import type { Policy } from '../policy.ts'
import { type DeliveryState, policyOf, type Request, storiesOf, storyOf } from '../state.ts'
import type { AgentStep } from '../step.ts'
import { leftBy } from '../story/course/coding.ts'
import { isVerified } from '../story/course/ladder.ts'
import type { Handoff } from '../story/handoff.ts'
import { type AttemptState, isSettled, type PastAttempt, type Session, type StoryState } from '../story/story.ts'

/** What an agent may be told, as far as its role sees it, and what it may do unasked. */
export interface Briefing extends Basis {
  intent: IntentState
  outline: Outline | null
  corrections: DeliveryState['corrections']
  /** What has become of its story so far; nothing as long as nothing has happened to it. */
  transition: string[]
  left: Left[]
  allowed: Pick<StoryState, 'grants' | 'denials'>
  /** Protected files that its story is about. */
  mayChange: string[]
  /** The session that its story's coder has. */
  session: Session | null
}

/** What a story has left for others. */
export interface Left {
  story: StoryId
  handoff: Handoff
}

export function briefingOf(state: DeliveryState, { story: id }: Pick<AgentStep, 'story'>): Briefing {
  const story = id === null ? undefined : state.stories[id]
  return {
    ...basisOf(state),
    intent: state.intent,
    outline: state.plan.plan?.outline ?? null,
    corrections: state.corrections,
    transition: story === undefined || isUntouched(story) ? [] : transitionBlock(state, story),
    left: story === undefined ? [] : leftFor(state, story),
    allowed: { grants: story?.grants ?? [], denials: story?.denials ?? [] },
    mayChange: story?.spec.mayChange ?? [],
    session: story?.thisAttempt.session ?? null,
  }
}

/** Nothing is known but what was requested, and by which settings. */
export const unbriefed = (basis: Basis): Briefing => ({
  ...{ ...basis, intent: noIntent(), outline: null, corrections: [], transition: [], left: [] },
  ...{ allowed: { grants: [], denials: [] }, mayChange: [], session: null },
})

const isUntouched = ({ turn, origin, former }: StoryState): boolean =>
  turn === 0 && origin === null && former.length === 0

/** The handoffs of the stories that this one builds on, of those that departed from the plan, and of this story itself. */
function leftFor(state: DeliveryState, own: StoryState): Left[] {
  const departed = departuresFor(state, own).map(({ spec }) => spec.id)
  const below = own.spec.dependsOn.filter((id) => state.stories[id] !== undefined)
  return [...new Set([...below, ...departed, own.spec.id])]
    .map((story) => ({ story, handoff: leftBy(storyOf(state, story)) }))
    .filter(({ handoff }) => handoff.quality !== 'fallback')
}

export interface Coding
  extends Briefing,
    Authored,
    Pick<StoryState, 'kind' | 'past' | 'red'>,
    Pick<AttemptState, 'unnoticed'> {
  /** A third session judges what two have written. */
  isVerified: boolean
  /** Stories that are worked on beside it. */
  siblings: Story[]
  /** All others. */
  others: Story[]
  dependencies: Dependency[]
}

/** A story that another one depends on, with the work that is on the line; null: it may have landed together with others. */
export interface Dependency {
  spec: Story
  work: { base: CommitId; commit: CommitId } | null
}

export function codingOf(state: DeliveryState, step: { story: StoryId }): Coding {
  const story = storyOf(state, step.story)
  const { kind, past, red, spec } = story
  const { unnoticed } = story.thisAttempt
  const others = storiesOf(state).filter((other) => other !== story)
  const isBegun = (one: StoryState): boolean => !isSettled(one) && !['waiting', 'held'].includes(one.control.status)
  return {
    ...{ ...briefingOf(state, step), ...authoredOf(state, step), kind, past, red, unnoticed },
    isVerified: isVerified(policyOf(state), story),
    siblings: others.filter(isBegun).map((other) => other.spec),
    others: others.map((other) => other.spec),
    dependencies: spec.dependsOn.map((id) => dependencyOf(storyOf(state, id))),
  }
}

const dependencyOf = ({ spec, control }: StoryState): Dependency => ({
  spec,
  work: control.status === 'joined' ? { base: control.base, commit: control.commit } : null,
})

/** Whose reading examples are held against. */
export function readingOf(state: DeliveryState, seat: keyof IntentState['words']): StructuredReading {
  const word = state.intent.words[seat]
  if (word?.status !== 'read') throw new Error('broken invariant: only who has read it is asked')
  return word.interpretation.reading
}

export function planOf(state: DeliveryState): Plan {
  if (state.plan.plan === null) throw new Error('broken invariant: there is no plan to audit')
  return state.plan.plan
}

/** With what has become of its stories since it was drafted. */
export const planNow = (state: DeliveryState): Plan => ({
  outline: state.plan.plan?.outline ?? null,
  stories: storiesOf(state)
    .filter(({ kind, control }) => kind === 'story' && control.status !== 'split')
    .map(({ spec }) => spec),
})

/** What every step is told: whose it is, what was requested, and the settings that it was pinned to. */
export interface Basis {
  delivery: string
  request: Request
  policy: Policy
}

export function basisOf(state: DeliveryState): Basis {
  if (state.request === null) throw new Error('broken invariant: nothing was requested yet')
  return { delivery: state.id, request: state.request, policy: policyOf(state) }
}

/** What commands of a delivery run by; also where no delivery stands behind them. */
export interface RunBasis {
  delivery: string
  request: Pick<Request, 'repository' | 'target' | 'base'>
  policy: Pick<Policy, 'setup' | 'workspace' | 'sandbox' | 'egress'>
}

/** The part of the delivery's state that may change while a step runs. */
export type Standing = Pick<DeliveryState, 'concerns' | 'money' | 'agentStarts'>

/** What the commits of a story say. */
export interface Authored extends Basis {
  spec: Story
  /** The kind of work, where the repository's own commits begin with it. */
  prefix: WorkKind | null
}

export function authoredOf(state: DeliveryState, { story }: { story: string }): Authored {
  const prefix = state.intent.context?.isPrefixed === true ? workKindOf(state.intent) : null
  return { ...basisOf(state), spec: storyOf(state, story).spec, prefix }
}

const mostLines = 15
const longestLine = 200

/**
 * Where a story stands: done, remaining, decisions, open findings, next. From facts alone, so that whoever comes after a
 * crash, a limit or another agent reads the same.
 */
export function transitionBlock(state: DeliveryState, story: StoryState): string[] {
  const shown = ofStory(state, story).flatMap(({ title, lines, most }) =>
    lines.length === 0 ? [] : listed(title, lines, most),
  )
  return shown.slice(0, mostLines).map((line) => line.replace(/\s+/g, ' ').trim().slice(0, longestLine))
}

interface Part {
  title: string
  lines: string[]
  most: number
}

/** The first lines, and how many more there are: never more than one line above what it may have. */
function listed(title: string, lines: string[], most: number): string[] {
  const [head, ...rest] = lines.slice(0, most)
  const more = lines.length - most
  return [`${title}: ${head}`, ...rest.map((line) => `- ${line}`), ...(more > 0 ? [`- and ${more} more`] : [])]
}

function ofStory(state: DeliveryState, story: StoryState): Part[] {
  const { past, former, findings, told, handoff, summary, attempt, round, phase } = story
  const changes = former.map(({ as, cause }) => `${as}: ${cause}`)
  const whole = story.origin === null ? [] : originOf(state, story.origin)
  return [
    { title: 'Done', lines: [...whole, ...changes, ...past.map(ended)].slice(-3), most: 3 },
    { title: 'Remaining', lines: handoff.limitations, most: 2 },
    { title: 'Decisions', lines: handoff.decisions.map(({ what, why }) => `${what}, because ${why}`), most: 3 },
    { title: 'Open findings', lines: findingsOf([...findings, ...told]), most: 3 },
    {
      title: 'Next',
      lines: [
        `${nextOf(story)}, attempt ${attempt}, round ${round}, ${phase}${summary === '' ? '' : `; last: ${summary}`}`,
      ],
      most: 1,
    },
  ]
}

const ended = ({ attempt, round, agent, ended: how }: PastAttempt): string =>
  `attempt ${attempt}.${round} (${agent || 'a human'}): ${how}`

/** What was tried before it was split off. */
function originOf({ stories }: DeliveryState, origin: string): string[] {
  const whole = stories[origin]
  const cause = whole?.former.at(-1)?.cause ?? ''
  return [...(whole?.past.slice(-1).map((one) => `${origin}, ${ended(one)}`) ?? []), `split off ${origin}: ${cause}`]
}

const nextOf = ({ control, findings }: StoryState): string =>
  control.status === 'coding' && findings.length > 0 ? 'mending what was found' : control.status

const findingsOf = (findings: Finding[]): string[] =>
  findings.map(
    ({ file, line, message }) => `${file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `}${message}`,
  )
