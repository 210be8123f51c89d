import type { Pulse } from '../../../ports/pulses.ts'
import { durationText } from '../../../std/duration.ts'
import { never } from '../../../std/never.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { fitted, padded, textWidth } from '../../../std/text/text-width.ts'
import { absenceText, type StatusView, type StoryView, type WaitView } from '../../../views/status.ts'
import { costText, usdText } from '../../../views/step-text.ts'
import type { StoryWord } from '../../../views/summary.ts'
import { bold, dim, type ShownLine, type Style, type TextSpan, yellow } from '../line.ts'
import { momentText } from '../time.ts'

interface GraphSize {
  columns: number
  rows: number
  /** What agents do now. */
  pulses: Pulse[]
}

/** The story graph: each story's step, agent, round, time and cost. Fits any width once each line is cut. */
export function graphLines(view: StatusView, at: number, size: GraphSize): ShownLine[] {
  const { pulses, columns } = size
  const pulsesOf = (story: string | null): ShownLine[] =>
    pulses.filter((pulse) => pulse.story === story).map((pulse) => pulseLine(pulse, at, columns))
  const shown = pick(view.stories, Math.max(3, size.rows - 8 - pulses.length - view.absences.length))
  const idWidth = Math.min(
    Math.max(4, ...shown.map((story) => textWidth(story.story))),
    Math.max(10, Math.floor(columns * 0.35)),
  )
  return [
    headLine(view, at, columns),
    ...shown.flatMap((story) => [storyLine(story, at, { idWidth, narrow: columns < 60 }), ...pulsesOf(story.story)]),
    ...restLine(view.stories, shown),
    ...view.steps.map((step): ShownLine => [dim(`  ${step.text}  ${elapsed(at - step.since)}`)]),
    ...waitLines(view.waits, at),
    ...pulsesOf(null),
    ...view.absences.map(
      (one): ShownLine => yellow(`  ${oneLine(absenceText(one, (until) => momentText(until, at)))}`),
    ),
  ]
}

export const waitLines = (waits: WaitView[], at: number): ShownLine[] =>
  waits.map(({ until, reason }) => yellow(`  waiting, tries again at ${momentText(until, at)}: ${oneLine(reason)}`))

function headLine(view: StatusView, at: number, columns: number): ShownLine {
  const facts = `  ${view.word}  ${elapsed((view.endedAt ?? at) - view.requestedAt)}  ${costText(view)}`
  const title = fitted(oneLine(view.requirement), Math.max(8, columns - textWidth(facts) - 2))
  return [bold(title), facts]
}

/** In whole seconds: smaller ones only flicker. */
const elapsed = (ms: number): string => (ms < 1000 ? '0s' : durationText(ms))

export const marks: Record<StoryWord, [string, Style]> = {
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
  const busy: TextSpan[] = story.step === null ? [] : [dim(`  ${elapsed(at - story.step.since)}`)]
  const idle = story.turns === 0 && story.step === null
  const who = narrow || idle ? '' : `  ${story.agent ?? ''} ${story.attempt}.${story.round}`
  const cost = narrow || story.usd === 0 ? '' : `  ${costText(story)}`
  return [
    { text: `${mark} `, style },
    padded(fitted(story.story, idWidth), idWidth),
    '  ',
    { text: padded(story.word, 9), style },
    ...busy,
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
  const isWell = pulse.state === 'working'
  return [indent, isWell ? what : yellow(what), dim(facts)]
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
    state === 'working' ? `${seconds(at - seenAt)} ago` : '',
    tokens === 0 || narrow ? '' : `${countText(tokens)} tokens`,
    usd === null ? '' : usdText(usd),
  ]
  return facts.flatMap((fact) => (fact === '' ? [] : [`  ${fact}`])).join('')
}

/** In whole seconds: smaller ones only flicker. */
const seconds = (ms: number): string => (ms < 1000 ? '0s' : durationText(ms))

const countText = (count: number): string =>
  count < 1000 ? `${count}` : count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}M`
