import type { Culprit, RegressionView } from '../../desk/proofs/regress.ts'
import type { Point, RedCheck, Revert, RunTold, Search } from '../../ports/proofs/regression.ts'
import { durationText } from '../../std/duration.ts'
import { never } from '../../std/never.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { interruptible, leaveAtOnce } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { refuseBoth } from '../given.ts'
import { bold, dim, green, red, type ShownLine, type TextSpan, yellow } from '../show/line.ts'
import { verb } from '../verb.ts'

const words = {
  says: 'find the story that broke a check, and try to revert it: exit code 0 nothing is red, 2 red',
  takes: { '[range]': 'where to look, such as main~20..main (default: all of the target)' },
  options: {
    '--since <commit>': 'look only at what came after this commit',
    '--check <name>': 'run this check (default: the first one that is red)',
    '--run <command>': 'run a command of your own, such as a test that shows the fault',
  },
}

/** With which story a check became red, and whether reverting it would help. Each run is told when it ends. */
export const regressVerb = verb(words, async ({ desk, screen }, [range], options) => {
  const { since, check, run: command } = options
  refuseBoth({ 'a range': range, '--since': since })
  refuseBoth({ '--check': check, '--run': command })
  const onRun = (run: RunTold, runs: string) => {
    if (screen.json) return
    if (run.number === 1 && !run.again) screen.print(dim(`${run.check}: ${oneLine(runs, 200)}`))
    screen.print(regressRunLine(run))
  }
  const asked = { range, since, check, run: command, onRun }
  const view = await interruptible(screen, (signal) => desk.regress({ ...asked, signal }), leaveAtOnce)
  if (view === null) return exitCodes.operator
  screen.show(view, () => regressionLines(view))
  return view.result.status === 'green' ? exitCodes.done : exitCodes.human
})

const results: Record<RunTold['word'], TextSpan> = {
  green: green('green  '),
  red: red('red    '),
  unclear: yellow('unclear'),
}

/** One run. */
export const regressRunLine = ({ point, word, durationMs, again, number, most, message }: RunTold): ShownLine => [
  dim(`${number} of at most ${most}  `),
  results[word],
  `  ${shortId(point.commit)}  `,
  dim(durationText(durationMs)),
  `  ${oneLine(point.subject, 60)}`,
  dim(`${again ? ' (again)' : ''}${word === 'unclear' ? `: ${oneLine(message, 120)}` : ''}`),
]

/** What came of it, and what to do. */
export function regressionLines({ result, culprit, next, commits, target }: RegressionView): ShownLine[] {
  return [
    ...(result.runs > 1 || result.status !== 'green' ? [''] : []),
    ...wordLines(result, { culprit, commits, target }),
    ...(next.length === 0 ? [] : ['Next', ...next.map((command) => `  ${command}`)]),
  ]
}

type Told = Pick<RegressionView, 'culprit' | 'commits' | 'target'>

function wordLines(result: Search, { culprit, commits, target }: Told): ShownLine[] {
  switch (result.status) {
    case 'green':
      return [
        [green('Nothing is red'), ` at the tip of ${target}: ${result.checks.map((one) => oneLine(one)).join(', ')}`],
      ]
    case 'flaky':
      return [
        [yellow('Flaky'), `: ${result.check} was red and green on the same commit, ${pointText(result.at)}`],
        ...result.tests.slice(0, most).map((test): ShownLine => `  ${oneLine(test)}`),
        `No story is to blame. ${runsText(result)}.`,
      ]
    case 'before':
      return [
        [red('Red'), ' before the first of our stories: not one of ours.'],
        ...redLines(result),
        `It is red at ${pointText(result.at)} already. ${runsText(result)}.`,
      ]
    case 'unclear':
      return [
        [
          red('Red'),
          ` since one of ${counted(result.suspects.length, 'commit')}: those between them fail in another way.`,
        ],
        ...redLines(result),
        ...result.suspects.slice(0, most).map((point): ShownLine => `  ${pointText(point)}${ownerText(point)}`),
        `${runsText(result)}.`,
      ]
    case 'foreign':
      return [
        [red('Red'), ` since ${pointText(result.at)}`],
        `  by ${oneLine(result.at.author, 80)}: ${foreignText(result.at)}`,
        ...redLines(result),
        ...beforeLines(result.before),
        `${runsText(result)}.`,
      ]
    case 'found':
      return [
        [red('Red'), ' since ', bold(oneLine(culprit!.title, 100))],
        ...culpritLines(result.commits, culprit!),
        ...redLines(result),
        ...beforeLines(result.before),
        `${result.before.length === 0 ? 'The commit before it passes' : 'The commit before it does not have this'}. ${runsText(result)} over ${counted(commits, 'commit')}.`,
        revertLine(result.revert, result.check),
      ]
    default:
      return never(result)
  }
}

const most = 10

const pointText = ({ commit, subject }: Point): string => `${shortId(commit)} ${oneLine(subject, 80)}`

/** A merge may have brought stories of ours that landed elsewhere. */
const foreignText = ({ parents }: Point): string =>
  parents.length > 1 ? 'a merge, tried only as a whole' : 'no story of ours'

const ownerText = ({ story, author }: Point): string =>
  story === null ? ` (${oneLine(author, 60)})` : ` (${oneLine(story.story, 64)} of ${oneLine(story.delivery, 64)})`

function culpritLines(commits: Point[], { delivery, story, agent }: Culprit): ShownLine[] {
  const by = agent === null ? 'this machine has no log of it' : `by ${oneLine(agent, 60)}`
  return [
    `  story ${oneLine(story, 64)} of ${oneLine(delivery, 64)}, ${by}`,
    ...commits.map((point): ShownLine => `  commit ${pointText(point)}`),
  ]
}

function redLines({ check, message, failures, tail }: RedCheck): ShownLine[] {
  const shown = failures.slice(0, most).map((one): ShownLine => `  ${failureText(one)}`)
  const more = failures.length - shown.length
  const last = tail.trim().split('\n').slice(-5)
  return [
    `${oneLine(check, 64)}: ${oneLine(message)}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(failures.length > 0 || tail.trim() === '' ? [] : last.map((line) => dim(`  ${oneLine(line, 200)}`))),
  ]
}

function failureText({ file, line, test, error }: RedCheck['failures'][number]): string {
  const where = file === null ? '' : `${oneLine(file, 120)}${line === null ? '' : `:${line}`}  `
  return `${where}${oneLine(test, 120)}: ${oneLine(error.split('\n', 1)[0] ?? '', 160)}`
}

const beforeLines = (before: string[]): ShownLine[] =>
  before.length === 0
    ? []
    : [
        dim(
          `Red before our first story, too: ${before
            .slice(0, most)
            .map((test) => oneLine(test, 80))
            .join(', ')}`,
        ),
      ]

const runsText = ({ runs }: RedCheck): string => `Found in ${counted(runs, 'run')}`

function revertLine(revert: Revert, check: string): ShownLine {
  switch (revert.status) {
    case 'applies':
      return ['Reverting it ', green('applies cleanly'), ...helpSpans(revert, check)]
    case 'empty':
      return 'Nothing of it is left at the tip, so what it broke has to be fixed in another way.'
    case 'conflict':
      return [
        'Reverting it ',
        red('does not apply'),
        `: later changes are in the way in ${revert.files
          .slice(0, most)
          .map((file) => oneLine(file, 100))
          .join(', ')}`,
      ]
    default:
      return never(revert)
  }
}

function helpSpans({ mended, red: reds }: Extract<Revert, { status: 'applies' }>, check: string): TextSpan[] {
  const [own, others] = [reds.find((one) => one.check === check), reds.filter((one) => one.check !== check)]
  if (!mended) return [`, but ${check} `, red('stays red'), `: ${oneLine(own?.message ?? '')}`]
  const besides: TextSpan[] =
    others.length === 0
      ? []
      : [' But ', red(others.map((one) => one.check).join(', ')), ` is red with it: ${oneLine(others[0]!.message)}`]
  if (own === undefined) return [`, and ${check} is `, green('green'), ' with it.', ...besides]
  return [', and what began with it is ', green('gone'), `; the rest of ${check} stays red.`, ...besides]
}
