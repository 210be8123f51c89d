import type { Question } from '../../delivery/question.ts'
import { answerCommand } from '../../delivery/questions/registry.ts'
import type { Leaving } from '../../desk/gc/keep.ts'
import type { Lease } from '../../ports/event-log.ts'
import type { Pulse } from '../../ports/pulses.ts'
import { durationText } from '../../std/duration.ts'
import { never } from '../../std/never.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { fitted, padded, textWidth } from '../../std/text/text-width.ts'
import { absenceText, type StatusView, type StoryView, type WaitView } from '../../views/status.ts'
import { costText, counted, shortId, tokensText, usdText } from '../../views/step-text.ts'
import { sourceText } from '../../views/story/intent-view.ts'
import type { DeliveryWord, StoryWord, SummaryView } from '../../views/summary.ts'
import {
  atMost,
  bold,
  dateText,
  dim,
  green,
  momentText,
  type ShownLine,
  type Style,
  tableUnder,
  textsUnder,
  titled,
  yellow,
} from './line.ts'

const mostEvidence = 24

/** Open questions, each with its evidence, its options by number, and how to answer it. */
export function questionLines(questions: Question[], delivery: string | null = null): ShownLine[] {
  return questions.flatMap((question) => [
    [yellow('? '), oneLine(question.text, 1000)],
    ...evidenceLines(question.evidence),
    ...question.options.map((option, index): ShownLine => optionLine(question, option, index + 1)),
    ...deadlineLines(question),
    `    ${delivery === null ? answerCommand(question) : numberedCommand(question, delivery)}`,
  ])
}

/** What becomes of it by itself. */
export const deadlineLines = ({ deadlineAt, default: option }: Omit<Question, 'evidence'>): ShownLine[] =>
  deadlineAt === null ? [] : [dim(`    if nobody answers by ${dateText(deadlineAt)}: ${option}`)]

/** What a person has to see before they answer. */
export function evidenceLines(evidence: string): ShownLine[] {
  const lines = plainText(evidence).trim().split('\n').filter(Boolean)
  const shown = lines.map((line) => dim(`    | ${oneLine(line, 300)}`))
  return atMost(mostEvidence, shown, (left) => dim(`    | … ${left} more lines (--json)`))
}

const optionLine = (question: Question, { id, label }: Question['options'][number], number: number): ShownLine => [
  `    ${number} `,
  // A coder's own options are called by their numbers.
  id === `${number}` ? '' : `${id}: `,
  dim(`${oneLine(label, 400)}${question.default === id ? ' (default)' : ''}`),
]

const numberedCommand = ({ id, options }: Question, delivery: string): string =>
  `ropewalk answer ${id} ${options.length === 0 ? '"…"' : '1'} -d ${delivery}`

interface GraphSize {
  columns: number
  rows: number
  /** What agents do now. */
  pulses: Pulse[]
}

/** The story graph: each story's step, agent, round, time and cost. Fits any width once each line is cut. */
export function graphLines(view: StatusView, at: number, { columns, rows, pulses }: GraphSize): ShownLine[] {
  const pulsesOf = (story: string | null): ShownLine[] =>
    pulses.filter((pulse) => pulse.story === story).map((pulse) => pulseLine(pulse, at, columns))
  const shown = pick(view.stories, Math.max(3, rows - 8 - pulses.length - view.absences.length))
  const widest = Math.max(4, ...shown.map((story) => textWidth(story.story)))
  const idWidth = Math.min(widest, Math.max(10, Math.floor(columns * 0.35)))
  return [
    headLine(view, at, columns),
    ...shown.flatMap((story) => [storyLine(story, at, { idWidth, narrow: columns < 60 }), ...pulsesOf(story.story)]),
    ...restLine(view.stories, shown),
    ...view.steps.map((step) => dim(`  ${step.text}  ${wholeSeconds(at - step.since)}`)),
    ...waitLines(view.waits, at),
    ...pulsesOf(null),
    ...view.absences.map((one) => yellow(`  ${oneLine(absenceText(one, (until) => momentText(until, at)))}`)),
  ]
}

export const waitLines = (waits: WaitView[], at: number): ShownLine[] =>
  waits.map(({ until, reason }) => yellow(`  waiting, tries again at ${momentText(until, at)}: ${oneLine(reason)}`))

function headLine(view: StatusView, at: number, columns: number): ShownLine {
  const facts = `  ${view.word}  ${wholeSeconds((view.endedAt ?? at) - view.requestedAt)}  ${costText(view)}`
  const title = fitted(oneLine(view.requirement), Math.max(8, columns - textWidth(facts) - 2))
  return [bold(title), facts]
}

/** Smaller ones only flicker. */
const wholeSeconds = (ms: number): string => (ms < 1000 ? '0s' : durationText(ms))

const marks: Record<StoryWord, [string, Style]> = {
  waiting: ['○', 'dim'],
  coding: ['●', 'cyan'],
  asking: ['?', 'yellow'],
  tidying: ['●', 'cyan'],
  judging: ['●', 'cyan'],
  contested: ['?', 'yellow'],
  reviewing: ['●', 'cyan'],
  triaging: ['●', 'cyan'],
  disputed: ['?', 'yellow'],
  reproducing: ['●', 'cyan'],
  reviewed: ['✔', 'green'],
  held: ['○', 'cyan'],
  gated: ['?', 'yellow'],
  composing: ['●', 'cyan'],
  proving: ['●', 'cyan'],
  joined: ['◆', 'green'],
  merged: ['✔', 'green'],
  escalated: ['?', 'yellow'],
  respecifying: ['●', 'cyan'],
  respecified: ['?', 'yellow'],
  unclear: ['?', 'yellow'],
  'taken-over': ['?', 'yellow'],
  split: ['–', 'dim'],
  skipped: ['–', 'dim'],
  failed: ['✘', 'red'],
}

function storyLine(story: StoryView, at: number, { idWidth, narrow }: { idWidth: number; narrow: boolean }): ShownLine {
  const needsWork = story.word === 'reviewed' && story.findings.length > 0
  const [mark, style] = needsWork ? marks.failed : marks[story.word]
  const idle = story.turns === 0 && story.step === null
  const who = narrow || idle ? '' : `  ${story.agent ?? ''} ${story.attempt}.${story.round}`
  const cost = narrow || story.usd === 0 ? '' : `  ${costText(story)}`
  return [
    { text: `${mark} `, style },
    padded(fitted(story.story, idWidth), idWidth),
    '  ',
    { text: padded(story.word, 9), style },
    dim(story.step === null ? '' : `  ${wholeSeconds(at - story.step.since)}`),
    dim(who + cost),
    `  ${oneLine(story.detail, 200)}`,
  ]
}

/** When not all fit: those that move or need somebody, then what is still to come, then what is done; in plan order. */
function pick(stories: StoryView[], most: number): StoryView[] {
  if (stories.length <= most) return stories
  const ranked = [...stories].sort((a, b) => rank(a) - rank(b)).slice(0, most - 1)
  return stories.filter((story) => ranked.includes(story))
}

function rank(story: StoryView): number {
  if (story.step !== null) return 0
  if (['asking', 'gated', 'contested', 'disputed', 'escalated', 'failed'].includes(story.word)) return 1
  return ['merged', 'joined', 'skipped'].includes(story.word) ? 3 : 2
}

function restLine(all: StoryView[], shown: StoryView[]): ShownLine[] {
  const counts = new Map<string, number>()
  for (const story of all) if (!shown.includes(story)) counts.set(story.word, (counts.get(story.word) ?? 0) + 1)
  if (counts.size === 0) return []
  return [dim(`  … and ${[...counts].map(([word, count]) => `${count} ${word}`).join(', ')}`)]
}

const indent = '    '

/** What an agent does now, how long ago it gave a sign of life, and what its turn has used so far. */
export function pulseLine(pulse: Pulse, at: number, columns: number): ShownLine {
  const facts = factsOf(pulse, at, columns < 60)
  const what = fitted(doingText(pulse, at), Math.max(12, columns - 1 - textWidth(indent) - textWidth(facts)))
  return [indent, pulse.state === 'working' ? what : yellow(what), dim(facts)]
}

function doingText({ state, doing, seenAt, until }: Pulse, at: number): string {
  const last = oneLine(doing, 200)
  const silence = durationText(at - seenAt)
  switch (state) {
    case 'working':
      return last
    case 'permission':
      return `waiting for permission: ${last}`
    case 'limit':
      return until === null ? 'waiting for a limit' : `waiting for a limit until ${momentText(until, at)}`
    case 'silent':
      return `silent for ${silence}, last: ${last}`
    case 'hung':
      return `hung: silent for ${silence}, last: ${last}`
    case 'exited':
      return 'has ended'
    default:
      return never(state)
  }
}

function factsOf({ state, seenAt, usage, usd }: Pulse, at: number, narrow: boolean): string {
  const tokens = usage.inputTokens + usage.outputTokens
  const facts = [
    ...(state === 'working' ? [`${wholeSeconds(at - seenAt)} ago`] : []),
    ...(tokens === 0 || narrow ? [] : [`${countText(tokens)} tokens`]),
    ...(usd === null ? [] : [usdText(usd)]),
  ]
  return facts.map((fact) => `  ${fact}`).join('')
}

const countText = (count: number): string =>
  count < 1000 ? `${count}` : count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`

interface Around {
  at: number
  driver: Lease | null
  pulses: Pulse[]
  columns: number
}

/** The graph, who drives it, what is asked, what gives concern. */
export function statusLines(view: StatusView, { at, driver, pulses, columns }: Around): ShownLine[] {
  const { absences, sources, concerns, reason, byExitCode } = view
  // What the requirement points to, and whether that was read.
  const pointed = sources.map((one) => dim(`  ${oneLine(sourceText(one), 300)}`))
  const told = concerns.map((text): ShownLine => [yellow('  concern: '), oneLine(text)])
  // That an agent is away has been said of the agent.
  const isTold = absences.some((one) => one.until === null && reason.startsWith(absenceText(one, String)))
  return [
    ...graphLines(view, at, { columns, pulses, rows: Number.POSITIVE_INFINITY }),
    ...absences.flatMap(({ until, remedy }) => (until === null ? [dim(`  → ${oneLine(remedy)}`)] : [])),
    ...(reason === '' || isTold ? [] : [yellow(`  ${oneLine(reason)}`)]),
    dim(`  ${view.delivery} on ${view.target} of ${view.repository}, from ${shortId(view.base)}`),
    ...(byExitCode.length === 0 ? [] : [dim(`  judged by exit code alone: ${byExitCode.join(', ')}`)]),
    ...atMost(5, pointed, (left) => dim(`  … and ${left} more sources (--json)`)),
    ...intentLines(view),
    ...driverLine(view, driver),
    ...questionLines(view.questions),
    ...atMost(10, told, (left) => dim(`  … and ${left} more (--json)`)),
    ...nextLines(view, driver),
  ]
}

/** What of ended deliveries will be removed soon. */
export function leavingLines(found: Leaving[]): ShownLine[] {
  if (found.length === 0) return []
  const what = found.map((one) => counted(one.count, one.what)).join(', ')
  const how = '`ropewalk gc` lists them, and `gc --yes` after that removes them (keep.* in your user file)'
  return [dim(`  kept for long enough, now or within a week: ${what}; ${how}`)]
}

/** Beside what the questions and the line about the driver have said. */
function nextLines({ questions, endedAt, imported, next }: StatusView, driver: Lease | null): ShownLine[] {
  if (questions.length > 0 || (endedAt === null && driver === null && !imported)) return []
  return next.map((command) => [dim('  next: '), command])
}

/** What it is taken to mean, and what speaks against that. */
function intentLines({ intent }: StatusView): ShownLine[] {
  if (intent?.meaning == null) return []
  const { meaning, dissents, unknown } = intent
  return [
    [dim('  meant: '), oneLine(meaning.summary, 400), dim(`  (${oneLine(meaning.because || meaning.by, 200)})`)],
    ...dissents.slice(0, 3).map((text) => dim(`    read otherwise: ${oneLine(text, 300)}`)),
    ...unknown.slice(0, 3).map((text) => dim(`    nobody could tell: ${oneLine(text, 300)}`)),
  ]
}

function driverLine(view: StatusView, driver: Lease | null): ShownLine[] {
  if (view.imported) return [yellow('  imported from a file, to be looked at: nothing of it runs')]
  if (view.endedAt !== null) return []
  if (driver === null) return [dim('  no process is driving it: `ropewalk resume` continues it')]
  return [dim(`  driven by process ${driver.pid} on ${driver.host}`)]
}

const wordStyle = (word: DeliveryWord): Style =>
  word === 'done' ? 'green' : ['blocked', 'crashed', 'budget'].includes(word) ? 'red' : 'yellow'

/** What was merged, what was not and why, what it cost, what to do now. */
export function summaryLines(view: SummaryView): ShownLine[] {
  const { word, reason, merged, joined, left, concerns, turns } = view
  const work = (one: SummaryView['merged'][number]) => [shortId(one.commit), bold(one.story), one.title]
  const told = concerns.slice(0, 20).map((text) => oneLine(text))
  const spent = `, ${counted(turns, 'agent turn')}, ${tokensText(view.tokens, view)}, ${costText(view)}`
  return [
    '',
    [{ text: word, style: wordStyle(word) }, dim(`  ${view.delivery}`)],
    ...(reason === '' ? [] : [`  ${oneLine(reason, 1000)}`]),
    ...titled(
      green(`Merged to ${view.target}: ${counted(merged.length, 'story', 'stories')}`),
      tableUnder(merged, work),
    ),
    ...titled(yellow('Proven, but not merged yet'), tableUnder(joined, work)),
    ...titled(
      yellow('Not merged'),
      tableUnder(left, (one) => [one.word, bold(one.story), oneLine(one.reason)]),
    ),
    ...textsUnder(yellow('Concerns'), told),
    dim(`${durationText(view.tookMs)}${turns === 0 ? '' : spent}`),
    ...textsUnder('Next', view.next),
  ]
}
