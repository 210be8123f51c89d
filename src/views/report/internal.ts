import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Precision, precisionOf } from '../../delivery/review/course/record.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import type { Handoff } from '../../delivery/story/handoff.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type CostRow, costView } from '../cost.ts'
import { knownText, placeText, shortId } from '../step-text.ts'
import { eventLine } from '../story/event-line.ts'
import { listBlocks, type ReportSection, type TableBlock, tableBlock, tableBlocks } from './document.ts'
import { readFirst, type StoryReading } from './reading.ts'

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
    ...past.map(({ round, attempt: nth, agent, ended }) => ({
      story: spec.id,
      attempt: nth,
      rounds: round,
      agent,
      ended,
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
    return event.verdict.findings.map((one) => ({ story: event.story, judge: event.judge, finding: brief(one) }))
  if (event.type === 'StoryReviewed' && event.word.status === 'returned')
    return event.word.findings.map((one) => ({
      ...{ story: event.story, judge: `reviewer for ${event.vantage}`, finding: brief(one) },
    }))
  if (event.type === 'ComposeConflicted')
    return event.findings.map((finding) => ({ story: event.story, judge: 'compose', finding: brief(finding) }))
  return []
}

/** The evidence stays in the log: it can be long. */
const brief = ({ evidence: _, fingerprint: __, ...rest }: Finding) => rest

/** What the internal variant has besides. */
export function internalSections(report: InternalReport, timeText: (at: Instant) => string): ReportSection[] {
  const titled: [title: string, table: TableBlock][] = [
    ['Attempts', attemptsTable(report)],
    ['Handoffs', handoffsTable(report)],
    ['Questions and escalations', escalationsTable(report, timeText)],
    ['Findings', findingsTable(report, timeText)],
    ['Reviewers', reviewersTable(report)],
    ['Cost by role', costTable(report.costByRole)],
    ['Cost by story', costTable(report.costByStory)],
    ['Cost by model', costTable(report.costByModel)],
    ['Full timeline', wholeTimeline(report, timeText)],
  ]
  return titled.flatMap(([title, block]) => (block.rows.length === 0 ? [] : [{ title, blocks: [block] }]))
}

/** For whoever reads the changes: the riskiest file of all stories first. */
export function readingSections(readings: StoryReading[]): ReportSection[] {
  const files = readings.flatMap((reading) => readFirst(reading).map((file) => ({ story: reading.story, ...file })))
  const rows = files
    .sort((a, b) => b.score - a.score)
    .map(({ story, path, score, reasons }) => [story, path, reasons.join(', '), score])
  const whole = readings.flatMap(({ story, reasons }) => reasons.map((reason) => `${story}: ${reason}`))
  const blocks = [...tableBlocks(['Story', 'File', 'Why', 'Risk'], 1, rows), ...listBlocks(whole)]
  return blocks.length === 0 ? [] : [{ title: 'Read first', blocks }]
}

const attemptsTable = ({ attempts }: InternalReport): TableBlock =>
  tableBlock(
    ['Story', 'Agent', 'Ended', 'Attempt', 'Rounds'],
    2,
    attempts.map(({ story, attempt, rounds, agent, ended }) => [story, agent, ended, attempt, rounds]),
  )

const handoffsTable = ({ handoffs }: InternalReport): TableBlock =>
  tableBlock(
    ['Story', 'Commit', 'Quality', 'What it holds'],
    0,
    handoffs.map(({ story, commit, quality, says }) => [story, shortId(commit), quality, says]),
  )

const escalationsTable = ({ escalations }: InternalReport, timeText: (at: Instant) => string): TableBlock =>
  tableBlock(
    ['When', 'Story', 'Question', 'Answer'],
    0,
    escalations.map(({ at, story, text, answer }) => [timeText(at), story ?? '', text, answer ?? 'none']),
  )

const findingsTable = ({ findings }: InternalReport, timeText: (at: Instant) => string): TableBlock =>
  tableBlock(
    ['When', 'Story', 'By', 'Severity', 'Where', 'What'],
    0,
    findings.map(({ at, story, judge, finding }) => {
      const { severity, message } = finding
      return [timeText(at), story ?? '', judge, severity, placeText(finding), message]
    }),
  )

const reviewersTable = ({ reviewers }: InternalReport): TableBlock =>
  tableBlock(
    [
      ...['Reviewer', 'For', 'Reviews', 'Raised', 'Accepted', 'Deferred'],
      ...['Rejected', 'Confirmed', 'Refuted', 'Waived'],
    ],
    8,
    reviewers.map((one) => [
      ...[one.model === null ? one.agent : `${one.agent} (${one.model})`, one.vantage, one.reviews, one.raised],
      ...[one.accepted, one.deferred, one.rejected, one.confirmed, one.refuted, one.waived],
    ]),
  )

const costTable = (costs: CostRow[]): TableBlock =>
  tableBlock(
    ['Name', 'Turns', 'Time', 'Tokens in', 'Tokens out', 'Cost'],
    5,
    costs.map(({ name, turns, durationMs, inputTokens, outputTokens, ...cost }) => [
      ...[name, turns, durationText(durationMs), inputTokens, outputTokens, knownText(cost)],
    ]),
  )

const wholeTimeline = ({ timeline }: InternalReport, timeText: (at: Instant) => string): TableBlock =>
  tableBlock(
    ['Nr', 'When', 'Event', 'Story', 'What'],
    0,
    timeline.map(({ version, at, type, story, text }) => [version, timeText(at), type, story ?? '', text]),
  )
