import type { CommitId, StoryId } from '../ids.ts'
import type { StructuredReading } from '../intent/interpretation.ts'
import { type IntentState, noIntent } from '../intent/state.ts'
import { departuresFor } from '../plan/course/departures.ts'
import type { Outline, Plan, Story } from '../plan/plan.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../state.ts'
import type { AgentStep } from '../step.ts'
import { leftBy } from '../story/course/handing.ts'
import { transitionBlock } from '../story/course/standing.ts'
import { isVerified } from '../story/course/strategy.ts'
import type { Handoff } from '../story/handoff.ts'
import { type AttemptState, isSettled, type Session, type StoryState } from '../story/story.ts'
import { type Authored, authoredOf, type Basis, basisOf } from './basis.ts'

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
    transition: story === undefined || isUntouched(story) ? [] : transitionBlock(state, id),
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
