import type { DeliveryEvent, Envelope } from '../../delivery/events.ts'
import type { Instant } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { precisionOf } from '../../delivery/review/course/record.ts'
import { type DeliveryState, storiesOf } from '../../delivery/state.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { type CostRow, costView } from '../cost.ts'
import { findingsIn } from '../status.ts'
import { knownText, placeText, shortId } from '../step-text.ts'
import { eventLine } from '../story/event-line.ts'
import { listBlocks, type ReportSection, reportSection, tableBlocks } from './document.ts'

/** What those who run Ropewalk want to know besides. */
export type InternalReport = ReturnType<typeof internalReport>

export function internalReport(state: DeliveryState, events: Envelope[]) {
  const { byRole, byStory, byModel } = costView(state)
  return {
    attempts: storiesOf(state).flatMap(attemptsOf),
    // What each coding turn left for those who come after it.
    handoffs: events.flatMap(({ event }) => (event.type === 'StoryCoded' ? [handoffOf(event)] : [])),
    escalations: Object.values(state.questions).map(({ at, question, answer }) => ({
      ...{ at, story: question.story, text: `${question.kind}: ${question.text}` },
      answer: answer === null ? null : `${answer.by}: ${answer.text || answer.option}`,
    })),
    findings: events.flatMap(({ at, event }) =>
      findingsIn(event).map((finding) => ({ at, ...findersOf(event), finding: brief(finding) })),
    ),
    timeline: events.map(({ at, version, event }) => {
      const { story, text } = eventLine(event)
      return { at, version, type: event.type, story, text }
    }),
    // How often a reviewer's findings turned out to be right.
    reviewers: precisionOf(events.map(({ event }) => event)),
    ...{ costByRole: byRole, costByStory: byStory, costByModel: byModel },
  }
}

function attemptsOf({ spec, past, attempt, round, coder, control, turn }: ReturnType<typeof storiesOf>[number]) {
  const isUnderWay = turn > 0 && !past.some((one) => one.attempt === attempt)
  const present = { attempt, round, agent: coder ?? '', ended: control.status as string }
  return [...past, ...(isUnderWay ? [present] : [])].map((one) => ({
    ...{ story: spec.id, attempt: one.attempt, rounds: one.round, agent: one.agent, ended: one.ended },
  }))
}

function handoffOf({ story, commit, handoff }: Extract<DeliveryEvent, { type: 'StoryCoded' }>) {
  const { quality, decisions, limitations, deviations, corrections, notes } = handoff
  const parts = Object.entries({ decisions, limitations, deviations, corrections })
  const says = parts.flatMap(([name, { length }]) => (length === 0 ? [] : [`${length} ${name}`])).join(', ')
  return { story, commit, quality, says: says || oneLine(notes, 200) }
}

function findersOf(event: DeliveryEvent): { story: string | null; judge: string } {
  if (event.type === 'Judged') return { story: event.story, judge: event.judge }
  if (event.type === 'StoryReviewed') return { story: event.story, judge: `reviewer for ${event.vantage}` }
  return { story: 'story' in event ? event.story : null, judge: 'compose' }
}

/** The evidence stays in the log: it can be long. */
const brief = ({ evidence: _, fingerprint: __, ...rest }: Finding) => rest

/** What the internal variant has besides. */
export function internalSections(report: InternalReport, timeText: (at: Instant) => string): ReportSection[] {
  const { costByRole, costByStory, costByModel } = report
  const attempts = report.attempts.map((one) => [one.story, one.agent, one.ended, one.attempt, one.rounds])
  const handoffs = report.handoffs.map((one) => [one.story, shortId(one.commit), one.quality, one.says])
  const asked = report.escalations.map((one) => [timeText(one.at), one.story ?? '', one.text, one.answer ?? 'none'])
  const findings = report.findings.map(({ at, story, judge, finding }) => [
    ...[timeText(at), story ?? '', judge, finding.severity, placeText(finding), finding.message],
  ])
  const reviewers = report.reviewers.map((one) => [
    ...[one.model === null ? one.agent : `${one.agent} (${one.model})`, one.vantage, one.reviews, one.raised],
    ...[one.accepted, one.deferred, one.rejected, one.confirmed, one.refuted, one.waived],
  ])
  const fates = 'Accepted, Deferred, Rejected, Confirmed, Refuted, Waived'
  const costs = 'Name, Turns, Time, Tokens in, Tokens out, Cost'
  const timeline = report.timeline.map((one) => [
    ...[one.version, timeText(one.at), one.type, one.story ?? '', one.text],
  ])
  const tables: [title: string, columns: string, figures: number, rows: (string | number)[][]][] = [
    ['Attempts', 'Story, Agent, Ended, Attempt, Rounds', 2, attempts],
    ['Handoffs', 'Story, Commit, Quality, What it holds', 0, handoffs],
    ['Questions and escalations', 'When, Story, Question, Answer', 0, asked],
    ['Findings', 'When, Story, By, Severity, Where, What', 0, findings],
    ['Reviewers', `Reviewer, For, Reviews, Raised, ${fates}`, 8, reviewers],
    ['Cost by role', costs, 5, costByRole.map(costCells)],
    ['Cost by story', costs, 5, costByStory.map(costCells)],
    ['Cost by model', costs, 5, costByModel.map(costCells)],
    ['Full timeline', 'Nr, When, Event, Story, What', 0, timeline],
  ]
  return tables.flatMap(([title, columns, figures, rows]) =>
    reportSection(title, tableBlocks(columns.split(', '), figures, rows)),
  )
}

const costCells = ({ name, turns, durationMs, inputTokens, outputTokens, ...cost }: CostRow): (string | number)[] => [
  ...[name, turns, durationText(durationMs), inputTokens, outputTokens, knownText(cost)],
]

/** Where a reader of a diff should look first, and why. */
export interface DiffReading {
  score: number
  /** Highest first. */
  files: { path: string; score: number; reasons: string[] }[]
  /** Of the change as a whole. */
  reasons: string[]
}

export interface StoryReading extends DiffReading {
  story: string
}

/** The files that something speaks for. */
export const readFirst = ({ files }: DiffReading): DiffReading['files'] => files.filter(({ score }) => score > 0)

/** For whoever reads the changes: the riskiest file of all stories first. */
export function readingSections(readings: StoryReading[]): ReportSection[] {
  const files = readings.flatMap((reading) => readFirst(reading).map((file) => ({ story: reading.story, ...file })))
  const rows = files
    .sort((a, b) => b.score - a.score)
    .map(({ story, path, score, reasons }) => [story, path, reasons.join(', '), score])
  const whole = readings.flatMap(({ story, reasons }) => reasons.map((reason) => `${story}: ${reason}`))
  return reportSection('Read first', [...tableBlocks(['Story', 'File', 'Why', 'Risk'], 1, rows), ...listBlocks(whole)])
}
