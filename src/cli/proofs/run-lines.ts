import type { RehearsedRun } from '../../ports/proofs/rehearsal.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { RunsView, StoppedCommit } from '../../views/rehearsal/runs.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { bold, dim, green, type Line, red, type Span, yellow } from '../show/line.ts'
import { table } from '../show/table.ts'

/** One commit that was run. */
export function rehearsedRunLine(place: string, { commit, subject, unjudged, words, durationMs }: RehearsedRun): Line {
  const held = words.filter(({ findings }) => findings.length > 0).map(({ judge }) => judge)
  const word = unjudged !== null ? dim('not judged') : heldWord(held)
  const id = `  ${shortId(commit)}  `
  return [dim(`${place}  `), word, id, dim(durationText(durationMs)), `  ${oneLine(subject, 60)}`]
}

const heldWord = (held: string[]): Span => {
  if (held.length === 0) return green('passes')
  const asks = held.every((judge) => judge.startsWith('guard:'))
  return asks ? yellow('would ask') : red(`stopped by ${held.join(', ')}`)
}

/** What came of those that were run. */
export function runsLines({ sample, run, judged, stopped, asked, judges, unjudged, advice }: RunsView): Line[] {
  const some = run < sample ? `${run} of a sample of ${sample}` : `a sample of ${run}`
  return [
    '',
    [bold(`Run: ${stopped} of ${counted(judged, 'commit')}`), ` would have been stopped (${share(stopped, judged)})`],
    `  ${asked} would have led to a question, since old tests fail; ${unjudged.length} of ${some} could not be judged`,
    ...table(
      judges.map((one) => [
        one.judge,
        one.judge.startsWith('guard:') ? `asks on ${one.asked.length}` : `stops ${one.stopped.length}`,
        dim(`of ${one.commits}`),
      ]),
      '  ',
    ),
    ...judges.flatMap(({ judge, stopped: own }) => section(red(`${judge} stops`), own.map(heldLine))),
    ...judges.flatMap(({ judge, asked: own }) => section(yellow(`${judge} asks`), own.map(heldLine))),
    ...section(
      dim('not judged'),
      unjudged.map(({ commit, subject, reason }) => [
        `  ${shortId(commit)}  ${oneLine(subject, 50)}  `,
        dim(oneLine(reason, 200)),
      ]),
    ),
    ...(advice.length === 0 ? [] : ['', bold('What would help'), ...advice.map((text) => `  ${text}`)]),
  ]
}

const section = (title: Span, lines: Line[]): Line[] =>
  lines.length === 0 ? [] : ['', [title, dim(`  ${counted(lines.length, 'commit')}`)], ...firstOnes(lines)]

const heldLine = ({ commit, subject, file, message }: StoppedCommit): Line => [
  `  ${shortId(commit)}  ${oneLine(subject, 50)}  `,
  dim(`${file === null ? '' : `${file}: `}${oneLine(message, 160)}`),
]

export const share = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`

const mostShown = 5

export const firstOnes = (lines: Line[]): Line[] => [
  ...lines.slice(0, mostShown),
  ...(lines.length > mostShown ? [dim(`  … ${lines.length - mostShown} more: --json has them all`)] : []),
]
