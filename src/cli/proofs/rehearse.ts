import { TerminalError } from '../../ports/errors.ts'
import type { RehearsedRun } from '../../ports/proofs/rehearsal.ts'
import { durationText } from '../../std/duration.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { asksOnly, type RehearsalView, type RunsView, type StoppedCommit } from '../../views/rehearsal.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { exitCodes, interruptible, leaveAtOnce } from '../ending.ts'
import { wholeNumber } from '../given.ts'
import {
  atMost,
  bold,
  dim,
  green,
  red,
  type ShownLine,
  type TextSpan,
  tableUnder,
  textsUnder,
  yellow,
} from '../show/line.ts'
import { type GivenOptions, verb } from '../verb.ts'

const options = {
  '--last <count>': 'look at the newest <count> commits that are not merges (default: 200)',
  '--run': 'also run checks and tests on a sample of the commits that change code or tests',
  '--sample <count>': 'the size of the sample, with --run (default: 20)',
}
const words = {
  says: 'show which existing commits would have been stopped, by which judge, and what would help',
  takes: { '[range]': 'which commits, such as v1.0..main (default: the last 200 of the target)' },
  options,
}
type Options = GivenOptions<keyof typeof options>

/** What the judges would have said of the history that is here. Ctrl-C ends it, and what is known by then is told. */
export const rehearseVerb = verb(words, async ({ desk, screen }, [range], given) => {
  const asked = { range, last: lastOf(range, given), sample: sampleSize(given) }
  // Beside a document, so that whoever waits for it sees that it goes on.
  const print = screen.json ? screen.warn : screen.print
  const onRun = (place: string, run: RehearsedRun) => print(rehearsedRunLine(place, run))
  const view = await interruptible(screen, (signal) => desk.rehearse({ ...asked, signal, onRun }), leaveAtOnce)
  screen.show(view, () => rehearsalLines(view))
  return view.interrupted ? exitCodes.operator : exitCodes.done
})

const defaultLast = 200
const defaultSample = 20

function lastOf(range: string | undefined, { last }: Options): number | null {
  if (last !== undefined) return wholeNumber('--last', last)
  return range === undefined ? defaultLast : null
}

/** 0: nothing is run. */
function sampleSize({ run, sample }: Options): number {
  if (run) return sample === undefined ? defaultSample : wholeNumber('--sample', sample)
  if (sample === undefined) return 0
  throw new TerminalError('--sample says how many commits are run, so it needs --run', 'add --run')
}

/** How much of the work that is there would have been stopped, and by what. */
function rehearsalLines(view: RehearsalView): ShownLine[] {
  const { target, commits, stopped, kinds, rules, told, advice, runs, interrupted } = view
  const found = kinds.filter((kind) => kind.commits > 0)
  const reported = told.map((one) => `${one.rule} on ${one.commits}`).join(', ')
  return [
    ...(interrupted ? [[yellow('Interrupted'), ': this is what is known by now.']] : []),
    [
      bold(`${stopped} of ${counted(commits, 'commit')}`),
      ` of ${target} would have been stopped (${share(stopped, commits)})`,
    ],
    ...tableUnder(found, (kind) => [
      ...[kind.kind, `${kind.stopped} of ${kind.commits}`, dim(share(kind.stopped, kind.commits))],
    ]),
    ...rules.flatMap(({ rule, commits: own }) => section(red(rule), own.map(stoppedLine))),
    ...(told.length === 0 ? [] : ['', dim(`Only reported, never stopped: ${reported}`)]),
    ...adviceLines(advice),
    ...(runs === null
      ? ['', dim('Only judges that read a change were asked; nothing was run or written.')]
      : runsLines(runs)),
  ]
}

/** One commit that was run. */
function rehearsedRunLine(place: string, { commit, subject, unjudged, words, durationMs }: RehearsedRun): ShownLine {
  const held = words.filter(({ findings }) => findings.length > 0).map(({ judge }) => judge)
  const word = unjudged !== null ? dim('not judged') : heldWord(held)
  const id = `  ${shortId(commit)}  `
  return [dim(`${place}  `), word, id, dim(durationText(durationMs)), `  ${oneLine(subject, 60)}`]
}

const heldWord = (held: string[]): TextSpan => {
  if (held.length === 0) return green('passes')
  return held.every(asksOnly) ? yellow('would ask') : red(`stopped by ${held.join(', ')}`)
}

/** What came of those that were run. */
function runsLines({ sample, run, judged, stopped, asked, judges, unjudged, advice }: RunsView): ShownLine[] {
  const some = run < sample ? `${run} of a sample of ${sample}` : `a sample of ${run}`
  return [
    '',
    [bold(`Run: ${stopped} of ${counted(judged, 'commit')}`), ` would have been stopped (${share(stopped, judged)})`],
    `  ${asked} would have led to a question, since old tests fail; ${unjudged.length} of ${some} could not be judged`,
    ...tableUnder(judges, (one) => [
      one.judge,
      asksOnly(one.judge) ? `asks on ${one.asked.length}` : `stops ${one.stopped.length}`,
      dim(`of ${one.commits}`),
    ]),
    ...judges.flatMap((one) => section(red(`${one.judge} stops`), one.stopped.map(heldLine))),
    ...judges.flatMap((one) => section(yellow(`${one.judge} asks`), one.asked.map(heldLine))),
    ...section(
      dim('not judged'),
      unjudged.map((one) => commitLine(one, oneLine(one.reason, 200))),
    ),
    ...adviceLines(advice),
  ]
}

const adviceLines = (advice: string[]): ShownLine[] =>
  advice.length === 0 ? [] : ['', ...textsUnder(bold('What would help'), advice)]

const mostShown = 5

/** A blank line before it, and how many commits it is about. */
const section = (title: TextSpan, lines: ShownLine[]): ShownLine[] =>
  lines.length === 0
    ? []
    : [
        '',
        [title, dim(`  ${counted(lines.length, 'commit')}`)],
        ...atMost(mostShown, lines, (left) => dim(`  … ${left} more: --json has them all`)),
      ]

const commitLine = ({ commit, subject }: { commit: string; subject: string }, about: string): ShownLine => [
  ...[`  ${shortId(commit)}  ${oneLine(subject, 50)}  `, dim(about)],
]

const stoppedLine = (one: StoppedCommit): ShownLine =>
  commitLine(one, `${one.file ?? ''}: ${oneLine(one.message, 120)}`)

const heldLine = (one: StoppedCommit): ShownLine =>
  commitLine(one, `${one.file === null ? '' : `${one.file}: `}${oneLine(one.message, 160)}`)

const share = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`
