import type { Instant } from '../../delivery/ids.ts'
import { durationText } from '../../std/duration.ts'
import type { CostRow } from '../cost.ts'
import { usdText } from '../step-text.ts'
import type { Block, Section } from './document.ts'
import type { InternalReport } from './internal.ts'

/** What the internal variant has besides. */
export function internalSections(report: InternalReport, timeText: (at: Instant) => string): Section[] {
  const tables: [string, Block & { kind: 'table' }][] = [
    ['Attempts', attempts(report)],
    ['Questions and escalations', escalations(report, timeText)],
    ['Findings', findings(report, timeText)],
    ['Cost by role', cost(report.costByRole)],
    ['Cost by story', cost(report.costByStory)],
    ['Cost by model', cost(report.costByModel)],
    ['Full timeline', wholeTimeline(report, timeText)],
  ]
  return tables.flatMap(([title, block]) => (block.rows.length === 0 ? [] : [{ title, blocks: [block] }]))
}

type Table = Extract<Block, { kind: 'table' }>

const attempts = ({ attempts: all }: InternalReport): Table => ({
  kind: 'table',
  columns: ['Story', 'Agent', 'Ended', 'Attempt', 'Rounds'],
  figures: 2,
  rows: all.map(({ story, attempt, rounds, agent, ended }) => [story, agent, ended, String(attempt), String(rounds)]),
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

const cost = (rows: CostRow[]): Table => ({
  kind: 'table',
  columns: ['Name', 'Turns', 'Time', 'Tokens in', 'Tokens out', 'Cost'],
  figures: 5,
  rows: rows.map(({ name, turns, durationMs, inputTokens, outputTokens, usd }) => [
    name,
    String(turns),
    durationText(durationMs),
    String(inputTokens),
    String(outputTokens),
    usdText(usd),
  ]),
})

const wholeTimeline = ({ timeline }: InternalReport, timeText: (at: Instant) => string): Table => ({
  kind: 'table',
  columns: ['Nr', 'When', 'Event', 'Story', 'What'],
  figures: 0,
  rows: timeline.map(({ version, at, type, story, text }) => [String(version), timeText(at), type, story ?? '', text]),
})
