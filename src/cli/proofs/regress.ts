import type { Culprit, RegressionView } from '../../desk/proofs/regress.ts'
import type { Point, RedCheck, Revert, RunTold, Search } from '../../ports/proofs/regression.ts'
import { durationText } from '../../std/duration.ts'
import { never } from '../../std/never.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { exitCodes, interruptible, leaveAtOnce } from '../ending.ts'
import { refuseBoth } from '../given.ts'
import { atMost, bold, dim, green, red, type ShownLine, type TextSpan, textsUnder, yellow } from '../show/line.ts'
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
export function regressionLines(view: RegressionView): ShownLine[] {
  const { result, next } = view
  return [
    ...(result.runs > 1 || result.status !== 'green' ? [''] : []),
    ...wordLines(result, view),
    ...textsUnder('Next', next),
  ]
}

function wordLines(result: Search, { culprit, commits, target }: RegressionView): ShownLine[] {
  const runs = `Found in ${counted(result.runs, 'run')}`
  switch (result.status) {
    case 'green':
      return [[green('Nothing is red'), ` at the tip of ${target}: ${listed(result.checks, 400)}`]]
    case 'flaky':
      return [
        [yellow('Flaky'), `: ${result.check} was red and green on the same commit, ${pointText(result.at)}`],
        ...result.tests.slice(0, most).map((test) => `  ${oneLine(test)}`),
        `No story is to blame. ${runs}.`,
      ]
    case 'before':
      return [
        [red('Red'), ' before the first of our stories: not one of ours.'],
        ...redLines(result),
        `It is red at ${pointText(result.at)} already. ${runs}.`,
      ]
    case 'unclear': {
      const suspects = counted(result.suspects.length, 'commit')
      return [
        [red('Red'), ` since one of ${suspects}: those between them fail in another way.`],
        ...redLines(result),
        ...result.suspects.slice(0, most).map((point) => `  ${pointText(point)}${ownerText(point)}`),
        `${runs}.`,
      ]
    }
    case 'foreign': {
      // A merge may have brought stories of ours that landed elsewhere.
      const what = result.at.parents.length > 1 ? 'a merge, tried only as a whole' : 'no story of ours'
      return [
        [red('Red'), ` since ${pointText(result.at)}`],
        `  by ${oneLine(result.at.author, 80)}: ${what}`,
        ...redLines(result),
        ...beforeLines(result.before),
        `${runs}.`,
      ]
    }
    case 'found': {
      const passes = result.before.length === 0 ? 'passes' : 'does not have this'
      return [
        [red('Red'), ' since ', bold(oneLine(culprit!.title, 100))],
        culpritLine(culprit!),
        ...result.commits.map((point) => `  commit ${pointText(point)}`),
        ...redLines(result),
        ...beforeLines(result.before),
        `The commit before it ${passes}. ${runs} over ${counted(commits, 'commit')}.`,
        revertLine(result.revert, result.check),
      ]
    }
    default:
      return never(result)
  }
}

const most = 10

const listed = (texts: string[], longest: number): string => texts.map((text) => oneLine(text, longest)).join(', ')

const pointText = ({ commit, subject }: Point): string => `${shortId(commit)} ${oneLine(subject, 80)}`

const ownerText = ({ story, author }: Point): string =>
  story === null ? ` (${oneLine(author, 60)})` : ` (${oneLine(story.story, 64)} of ${oneLine(story.delivery, 64)})`

function culpritLine({ delivery, story, agent }: Culprit): ShownLine {
  const by = agent === null ? 'this machine has no log of it' : `by ${oneLine(agent, 60)}`
  return `  story ${oneLine(story, 64)} of ${oneLine(delivery, 64)}, ${by}`
}

function redLines({ check, message, failures, tail }: RedCheck): ShownLine[] {
  const last = failures.length > 0 || tail.trim() === '' ? [] : tail.trim().split('\n').slice(-5)
  return [
    `${oneLine(check, 64)}: ${oneLine(message)}`,
    ...atMost(most, failures.map(failureLine), (left) => `  and ${left} more`),
    ...last.map((line) => dim(`  ${oneLine(line, 200)}`)),
  ]
}

function failureLine({ file, line, test, error }: RedCheck['failures'][number]): ShownLine {
  const where = file === null ? '' : `${oneLine(file, 120)}${line === null ? '' : `:${line}`}  `
  return `  ${where}${oneLine(test, 120)}: ${oneLine(error.split('\n', 1)[0] ?? '', 160)}`
}

const beforeLines = (before: string[]): ShownLine[] =>
  before.length === 0 ? [] : [dim(`Red before our first story, too: ${listed(before.slice(0, most), 80)}`)]

function revertLine(revert: Revert, check: string): ShownLine {
  switch (revert.status) {
    case 'applies':
      return ['Reverting it ', green('applies cleanly'), ...helpSpans(revert, check)]
    case 'empty':
      return 'Nothing of it is left at the tip, so what it broke has to be fixed in another way.'
    case 'conflict': {
      const files = listed(revert.files.slice(0, most), 100)
      return ['Reverting it ', red('does not apply'), `: later changes are in the way in ${files}`]
    }
    default:
      return never(revert)
  }
}

function helpSpans({ mended, red: reds }: Extract<Revert, { status: 'applies' }>, check: string): TextSpan[] {
  const own = reds.find((one) => one.check === check)
  const others = reds.filter((one) => one.check !== check)
  if (!mended) return [`, but ${check} `, red('stays red'), `: ${oneLine(own?.message ?? '')}`]
  const named = red(others.map((one) => one.check).join(', '))
  const besides = others.length === 0 ? [] : [' But ', named, ` is red with it: ${oneLine(others[0]!.message)}`]
  if (own === undefined) return [`, and ${check} is `, green('green'), ' with it.', ...besides]
  return [', and what began with it is ', green('gone'), `; the rest of ${check} stays red.`, ...besides]
}
