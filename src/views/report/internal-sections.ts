import type { Instant } from '../../delivery/ids.ts'
import { durationText } from '../../std/duration.ts'
import type { CostRow } from '../cost.ts'
import { knownText, shortId } from '../step-text.ts'
import type { Block, Section } from './document.ts'
import type { InternalReport } from './internal.ts'
import { readFirst, type StoryReading } from './reading.ts'

/** What the internal variant has besides. */
export function internalSections(report: InternalReport, timeText: (at: Instant) => string): Section[] {
  const tables: [string, Block & { kind: 'table' }][] = [
    ['Attempts', attempts(report)],
    ['Handoffs', handoffs(report)],
    ['Questions and escalations', escalations(report, timeText)],
    ['Findings', findings(report, timeText)],
    ['Reviewers', reviewers(report)],
    ['Cost by role', cost(report.costByRole)],
    ['Cost by story', cost(report.costByStory)],
    ['Cost by model', cost(report.costByModel)],
    ['Full timeline', wholeTimeline(report, timeText)],
  ]
  return tables.flatMap(([title, block]) => (block.rows.length === 0 ? [] : [{ title, blocks: [block] }]))
}

/** For whoever reads the changes: the riskiest file of all stories first. */
export function readingSections(readings: StoryReading[]): Section[] {
  const files = readings.flatMap((reading) => readFirst(reading).map((file) => ({ story: reading.story, ...file })))
  const rows = files
    .sort((a, b) => b.score - a.score)
    .map(({ story, path, score, reasons }) => [story, path, reasons.join(', '), String(score)])
  const whole = readings.flatMap(({ story, reasons }) => reasons.map((reason) => `${story}: ${reason}`))
  const blocks: Block[] = [
    ...(rows.length === 0
      ? []
      : [{ kind: 'table' as const, columns: ['Story', 'File', 'Why', 'Risk'], figures: 1, rows }]),
    ...(whole.length === 0 ? [] : [{ kind: 'list' as const, items: whole }]),
  ]
  return blocks.length === 0 ? [] : [{ title: 'Read first', blocks }]
}

type Table = Extract<Block, { kind: 'table' }>

const attempts = ({ attempts: all }: InternalReport): Table => ({
  kind: 'table',
  columns: ['Story', 'Agent', 'Ended', 'Attempt', 'Rounds'],
  figures: 2,
  rows: all.map(({ story, attempt, rounds, agent, ended }) => [story, agent, ended, String(attempt), String(rounds)]),
})

const handoffs = ({ handoffs: all }: InternalReport): Table => ({
  kind: 'table',
  columns: ['Story', 'Commit', 'Quality', 'What it holds'],
  figures: 0,
  rows: all.map(({ story, commit, quality, says }) => [story, shortId(commit), quality, says]),
})

const escalations = ({ escalations: all }: InternalReport, timeText: (at: Instant) => string): Table => ({
  kind: 'table',
  columns: ['When', 'Story', 'Question', 'Answer'],
  figures: 0,
  rows: all.map(({ at, story, text, answer }) => [timeText(at), story ?? '', text, answer ?? 'none']),
})

const findings = ({ findings: all }: InternalReport, timeText: (at: Instant) => string): Table => ({
  kind: 'table',
  columns: ['When', 'Story', 'By', 'Severity', 'Where', 'What'],
  figures: 0,
  rows: all.map(({ at, story, judge, finding: { severity, file, line, message } }) => [
    timeText(at),
    story ?? '',
    judge,
    severity,
    file === null ? '' : `${file}${line === null ? '' : `:${line}`}`,
    message,
  ]),
})

const reviewers = ({ reviewers: all }: InternalReport): Table => ({
  kind: 'table',
  columns: [
    'Reviewer',
    'For',
    'Reviews',
    'Raised',
    'Accepted',
    'Deferred',
    'Rejected',
    'Confirmed',
    'Refuted',
    'Waived',
  ],
  figures: 8,
  rows: all.map((one) => [
    one.model === null ? one.agent : `${one.agent} (${one.model})`,
    one.vantage,
    ...[one.reviews, one.raised, one.accepted, one.deferred, one.rejected, one.confirmed, one.refuted, one.waived].map(
      String,
    ),
  ]),
})

const cost = (rows: CostRow[]): Table => ({
  kind: 'table',
  columns: ['Name', 'Turns', 'Time', 'Tokens in', 'Tokens out', 'Cost'],
  figures: 5,
  rows: rows.map(({ name, turns, durationMs, inputTokens, outputTokens, ...row }) => [
    name,
    String(turns),
    durationText(durationMs),
    String(inputTokens),
    String(outputTokens),
    knownText(row),
  ]),
})

const wholeTimeline = ({ timeline }: InternalReport, timeText: (at: Instant) => string): Table => ({
  kind: 'table',
  columns: ['Nr', 'When', 'Event', 'Story', 'What'],
  figures: 0,
  rows: timeline.map(({ version, at, type, story, text }) => [String(version), timeText(at), type, story ?? '', text]),
})
