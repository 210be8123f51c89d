import type { Envelope } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import { openQuestions } from '../../delivery/questions/due.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import { costView } from '../cost.ts'
import { type StoryReview, storyReview } from '../review/story-review.ts'
import type { KnownCost } from '../step-text.ts'
import { type IntentView, intentView, type SourceView, sourcesView } from '../story/intent-view.ts'
import { type DeliveryWord, deliveryWord, toldConcerns } from '../word.ts'
import { approversOf, type Deliverable, deliverables } from './deliverables.ts'
import { type InternalReport, internalReport } from './internal.ts'
import type { StoryReading } from './reading.ts'
import { type TimelineMoment, timeline } from './timeline.ts'

export type ReportResult = 'done' | 'done with concerns' | 'blocked' | 'needs context' | 'in progress'

/** What a delivery brought, from its log alone. What `report` shows, and its JSON. */
export interface ReportView {
  delivery: string
  result: ReportResult
  reason: string
  requirement: string
  submitter: string
  target: string
  requestedAt: Instant
  endedAt: Instant | null
  tookMs: number
  /** Nothing was to be made: work that was there was reviewed. */
  isReview: boolean
  /** What it was taken to mean; null where nobody looked into that. */
  intent: IntentView | null
  sources: SourceView[]
  deliverables: Deliverable[]
  /** What reviewers made of each story that they looked at. */
  reviews: ({ story: string; title: string } & StoryReview)[]
  /** Items of the plan's checklist of which no reviewer has said anything. */
  unsaid: string[]
  /** People who said yes to the plan. */
  planApprovedBy: string[]
  /** Of each story on the line: where to look first. Empty where nobody has looked at the diffs. */
  readings: StoryReading[]
  /** What only the reader can settle. */
  questions: { id: string; text: string; options: string[] }[]
  concerns: Concern[]
  timeline: TimelineMoment[]
  effort: { agentMs: number; turns: number; checkMs: number; checkRuns: number }
  cost: KnownCost & { exact: boolean; tokens: number; unpriced: number }
  /** Null in the variant for whoever asked for the delivery. */
  internal: InternalReport | null
}

export function reportView(
  state: DeliveryState,
  events: Envelope[],
  { at, internal, readings }: { at: Instant; internal: boolean; readings: StoryReading[] },
): ReportView {
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
    isReview: request?.review != null,
    intent: intentView(state.intent),
    sources: sourcesView(state.intent),
    deliverables: deliverables(state, events),
    reviews,
    unsaid: unsaidOf(state, reviews),
    planApprovedBy: approversOf(state, { kind: 'plan-gate', story: null }),
    readings,
    questions: questions.map(({ id, text, options }) => ({ id, text, options: options.map((option) => option.label) })),
    concerns: concernsOf(state, events),
    timeline: timeline(state, events),
    effort: { agentMs: byRole.reduce((sum, row) => sum + row.durationMs, 0), turns, ...checksRun(events) },
    cost: { usd, usdKnown, exact, tokens, unpriced },
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
  const waivers = events.flatMap(({ event }): Concern[] =>
    event.type === 'FindingWaived'
      ? [
          {
            kind: 'waived',
            text: `${storyTitle(state, event.story)}: ${event.by} accepted a finding as it is: ${event.because}`,
          },
        ]
      : [],
  )
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
