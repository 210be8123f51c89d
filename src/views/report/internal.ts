import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Handoff } from '../../delivery/handoff/handoff.ts'
import type { Instant } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Precision, precisionOf } from '../../delivery/review/precision.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { storiesOf } from '../../delivery/state.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type CostRow, costView } from '../cost.ts'
import { eventLine } from '../events/event-line.ts'

/** What those who run Ropewalk want to know besides. */
export interface InternalReport {
  attempts: { story: string; attempt: number; rounds: number; agent: string; ended: string }[]
  /** What each coding turn left for those who come after it. */
  handoffs: { story: string; commit: string; quality: Handoff['quality']; says: string }[]
  escalations: { at: Instant; story: string | null; text: string; answer: string | null }[]
  findings: { at: Instant; story: string | null; judge: string; finding: Omit<Finding, 'evidence' | 'fingerprint'> }[]
  timeline: { at: Instant; version: number; type: string; story: string | null; text: string }[]
  /** How often a reviewer's findings turned out to be right. */
  reviewers: Precision[]
  costByRole: CostRow[]
  costByStory: CostRow[]
  costByModel: CostRow[]
}

export function internalReport(state: DeliveryState, events: Envelope[]): InternalReport {
  const { byRole, byStory, byModel } = costView(state)
  return {
    attempts: attemptsOf(state),
    handoffs: events.flatMap(({ event }) => (event.type === 'StoryCoded' ? [handoffOf(event)] : [])),
    escalations: escalationsOf(state),
    findings: events.flatMap(({ at, event }) => findingsIn(event).map((one) => ({ at, ...one }))),
    timeline: events.map(({ at, version, event }) => {
      const { story, text } = eventLine(event)
      return { at, version, type: event.type, story, text }
    }),
    reviewers: precisionOf(events.map(({ event }) => event)),
    costByRole: byRole,
    costByStory: byStory,
    costByModel: byModel,
  }
}

function attemptsOf(state: DeliveryState): InternalReport['attempts'] {
  return storiesOf(state).flatMap(({ spec, past, attempt, round, coder, control, turn }) => [
    ...past.map((one) => ({
      story: spec.id,
      attempt: one.attempt,
      rounds: one.round,
      agent: one.agent,
      ended: one.ended,
    })),
    ...(turn === 0 || past.some((one) => one.attempt === attempt)
      ? []
      : [{ story: spec.id, attempt, rounds: round, agent: coder ?? '', ended: control.status }]),
  ])
}

function handoffOf({ story, commit, handoff }: Extract<DeliveryEvent, { type: 'StoryCoded' }>) {
  const { quality, decisions, limitations, deviations, corrections, notes } = handoff
  const parts = Object.entries({ decisions, limitations, deviations, corrections }).filter(
    ([, list]) => list.length > 0,
  )
  const says = parts.map(([name, list]) => `${list.length} ${name}`).join(', ')
  return { story, commit, quality, says: says || oneLine(notes, 200) }
}

const escalationsOf = ({ questions }: DeliveryState): InternalReport['escalations'] =>
  Object.values(questions).map(({ at, question, answer }) => ({
    at,
    story: question.story,
    text: `${question.kind}: ${question.text}`,
    answer: answer === null ? null : `${answer.by}: ${answer.text || answer.option}`,
  }))

function findingsIn(event: DeliveryEvent): Omit<InternalReport['findings'][number], 'at'>[] {
  if (event.type === 'Judged' && event.verdict.status === 'findings')
    return event.verdict.findings.map((finding) => ({
      story: event.story,
      judge: event.judge,
      finding: brief(finding),
    }))
  if (event.type === 'StoryReviewed' && event.word.status === 'returned')
    return event.word.findings.map((finding) => ({
      story: event.story,
      judge: `reviewer for ${event.vantage}`,
      finding: brief(finding),
    }))
  if (event.type === 'ComposeConflicted')
    return event.findings.map((finding) => ({ story: event.story, judge: 'compose', finding: brief(finding) }))
  return []
}

/** The evidence stays in the log: it can be long. */
const brief = ({ evidence: _, fingerprint: __, ...rest }: Finding) => rest
