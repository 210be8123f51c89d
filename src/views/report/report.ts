import type { DeliveryEvent, Envelope, EventType } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import { costView } from '../cost.ts'
import { counted, shortId } from '../step-text.ts'
import type { EventOf } from '../story/event-line.ts'
import { intentView, sourcesView } from '../story/intent-view.ts'
import { type DeliveryWord, deliveryWord, toldConcerns } from '../summary.ts'
import { approversOf, deliverables } from './deliverables.ts'
import { internalReport, type StoryReading } from './internal.ts'
import { type StoryReview, storyReview } from './review.ts'

export type ReportResult = 'done' | 'done with concerns' | 'blocked' | 'needs context' | 'in progress'

/** What a delivery brought, from its log alone. What `report` shows, and its JSON. */
export type ReportView = ReturnType<typeof reportView>

export function reportView(
  state: DeliveryState,
  events: Envelope[],
  { at, internal, readings }: { at: Instant; internal: boolean; readings: StoryReading[] },
) {
  const { request, mode } = state
  const { usd, usdKnown, exact, tokens, unpriced, turns, byRole } = costView(state)
  const endedAt = mode.status === 'ended' ? mode.at : null
  const questions = openQuestions(state)
  const reviews = storiesOf(state).flatMap((story) => {
    const review = storyReview(story)
    return review === null ? [] : [{ story: story.spec.id, title: story.spec.title, ...review }]
  })
  return {
    delivery: state.id,
    result: resultOf(state, { at, asked: questions.length > 0 }),
    reason: mode.status === 'ended' ? mode.reason : '',
    requirement: request?.requirement.text ?? '',
    submitter: request?.requirement.submitter ?? '',
    target: request?.target ?? '',
    requestedAt: request?.at ?? at,
    endedAt,
    tookMs: (endedAt ?? at) - (request?.at ?? at),
    // Nothing was to be made: work that was there was reviewed.
    isReview: request?.review != null,
    // What it was taken to mean; null where nobody looked into that.
    intent: intentView(state.intent),
    sources: sourcesView(state.intent),
    deliverables: deliverables(state, events),
    // What reviewers made of each story that they looked at.
    reviews,
    // Items of the plan's checklist of which no reviewer has said anything.
    unsaid: unsaidOf(state, reviews),
    planApprovedBy: approversOf(state, { kind: 'plan-gate', story: null }),
    // Of each story on the line: where to look first. Empty where nobody has looked at the diffs.
    readings,
    // What only the reader can settle.
    questions: questions.map(({ id, text, options }) => ({ id, text, options: options.map((option) => option.label) })),
    concerns: concernsOf(state, events),
    timeline: timeline(state, events),
    effort: { agentMs: byRole.reduce((sum, row) => sum + row.durationMs, 0), turns, ...checksRun(events) },
    cost: { usd, usdKnown, exact, tokens, unpriced },
    // Null in the variant for whoever asked for the delivery.
    internal: internal ? internalReport(state, events) : null,
  }
}

function unsaidOf(state: DeliveryState, reviews: StoryReview[]): string[] {
  const said = reviews.flatMap(({ checklist }) => checklist.map(({ item }) => item))
  const wanted = state.plan.plan?.outline?.checklist ?? []
  return wanted.map(({ item }) => item).filter((item) => !said.includes(item))
}

/** In the words of whoever asked for it. */
const results: Record<DeliveryWord, ReportResult | 'open'> = {
  done: 'done',
  'done-with-concerns': 'done with concerns',
  blocked: 'blocked',
  stopped: 'blocked',
  budget: 'blocked',
  crashed: 'blocked',
  waiting: 'open',
  planning: 'open',
  working: 'open',
  landing: 'open',
  paused: 'open',
  stopping: 'open',
}

function resultOf(state: DeliveryState, { at, asked }: { at: Instant; asked: boolean }): ReportResult {
  const result = results[deliveryWord(state, at)]
  if (result !== 'open') return result
  return asked ? 'needs context' : 'in progress'
}

function checksRun(events: Envelope[]): { checkMs: number; checkRuns: number } {
  let [checkMs, checkRuns] = [0, 0]
  for (const { event } of events) {
    if (event.type !== 'Judged' || !event.judge.startsWith('check:')) continue
    const proof = event.verdict.status === 'passed' ? event.verdict.proof : null
    if (proof?.reused === true) continue
    checkRuns += 1
    checkMs += proof?.durationMs ?? 0
  }
  return { checkMs, checkRuns }
}

interface Concern {
  kind: 'flaky' | 'waived' | 'red-base' | 'skipped' | 'other'
  text: string
}

/** What the reader should know although it may be done. */
export function concernsOf(state: DeliveryState, events: Envelope[]): Concern[] {
  const waivers = events.flatMap(({ event }): Concern[] => {
    if (event.type !== 'FindingWaived') return []
    const { story, by, because } = event
    return [{ kind: 'waived', text: `${storyTitle(state, story)}: ${by} accepted a finding as it is: ${because}` }]
  })
  const skipped = Object.values(state.stories).flatMap(({ spec, control }): Concern[] =>
    control.status === 'skipped' ? [{ kind: 'skipped', text: `${spec.title} was left out: ${control.reason}` }] : [],
  )
  return [...toldConcerns(state).map((text) => ({ kind: kindOf(text), text })), ...waivers, ...skipped]
}

const storyTitle = (state: DeliveryState, story: string): string => state.stories[story]?.spec.title ?? story

function kindOf(text: string): Concern['kind'] {
  if (/^flaky/i.test(text)) return 'flaky'
  if (/^the base is red/.test(text)) return 'red-base'
  return /: waived: /.test(text) ? 'waived' : 'other'
}

/** What happened, in the words of somebody who does not know how it is done. */
function timeline(state: DeliveryState, events: Envelope[]): { at: Instant; text: string }[] {
  const begun = new Set<string>()
  return events.flatMap(({ at, event }) => {
    const words = texts[event.type] as ((event: DeliveryEvent, state: DeliveryState) => string) | undefined
    if (words !== undefined) return [{ at, text: words(event, state) }]
    const step = event.type === 'StepStarted' ? event.step : null
    // Only the first coding turn of a story.
    if (step?.verb !== 'CodeStory' || begun.has(step.story)) return []
    begun.add(step.story)
    return [{ at, text: `Work on ${quoted(state, step.story)} began` }]
  })
}

const plannedText = ({ plan }: EventOf<'PlanGiven' | 'PlanDrafted'>): string =>
  `Planned as ${counted(plan.stories.length, 'story', 'stories')}`

const texts: { [Type in EventType]?: (event: EventOf<Type>, state: DeliveryState) => string } = {
  DeliveryRequested: ({ requirement }) => `Requested by ${requirement.submitter}`,
  PlanGiven: plannedText,
  PlanDrafted: plannedText,
  QuestionAsked: ({ question }) => `Asked: ${question.text}`,
  QuestionAnswered: (event, state) => `${event.by} answered: ${answerText(state, event)}`,
  QuestionExpired: ({ option }) => `Nobody answered in time, so the default was taken: ${option}`,
  LineAdvanced: ({ story }, state) => `${quoted(state, story)} joined the result`,
  Landed: ({ to }, { request }) => `Merged to ${request?.target ?? 'the target'} as ${shortId(to)}`,
  FixStoryAdded: ({ spec }) => `The result as a whole was not right yet, so “${spec.title}” was added`,
  LandingRefused: ({ message }) => `Merging had to wait: ${message}`,
  StorySkipped: ({ by, story, reason }, state) => `${by} left out ${quoted(state, story)}: ${reason}`,
  DeliveryPaused: ({ by }) => `Paused by ${by}`,
  DeliveryResumed: ({ by }) => `Resumed by ${by}`,
  DeliveryStopping: ({ by, reason }) => `Stopped by ${by}${reason === '' ? '' : `: ${reason}`}`,
  DeliveryCompleted: ({ result, reason }) =>
    `Ended: ${result.replaceAll('-', ' ')}${reason === '' ? '' : ` (${reason})`}`,
}

/** By what the option said, not by its name. */
function answerText({ questions }: DeliveryState, { question, option, text }: EventOf<'QuestionAnswered'>): string {
  const chosen = questions[question]?.question.options.find(({ id }) => id === option)
  return [chosen?.label ?? option, text].filter((part) => part !== '').join(': ')
}

const quoted = (state: DeliveryState, story: string): string => `“${storyTitle(state, story)}”`
