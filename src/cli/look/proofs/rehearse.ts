import { TerminalError } from '../../../ports/errors.ts'
import type { Rehearsal, Rehearsed, RehearsedRun } from '../../../ports/proofs/rehearsal.ts'
import type { RecentChange, Repository } from '../../../ports/repository.ts'
import { toPolicy } from '../../../settings/policy.ts'
import { rehearsalView } from '../../../views/rehearsal/rehearsal.ts'
import { runsView } from '../../../views/rehearsal/runs.ts'
import { sampleOf } from '../../../views/rehearsal/sample.ts'
import { shortId } from '../../../views/step-text.ts'
import { type Interrupt, onInterrupt } from '../../deliver/interrupt.ts'
import { exitCodes } from '../../exit-code.ts'
import { factsHere } from '../../prepare/facts.ts'
import { readEverything } from '../../prepare/preflight.ts'
import { dim, yellow } from '../../show/line.ts'
import { rehearsalLines } from '../../show/lines/rehearsal/rehearsal-lines.ts'
import { rehearsedRunLine } from '../../show/lines/rehearsal/run-lines.ts'
import { openRedraw, type Redraw } from '../../show/redraw.ts'
import type { Cli } from '../../world.ts'
import { endsOf } from './regress-request.ts'

export interface RehearseOptions {
  last?: string
  run?: boolean
  sample?: string
}

/** Replays the history that is here through the judges. Our clone for it, and all that it runs in, is thrown away. */
export async function rehearse(cli: Cli, range: string | undefined, options: RehearseOptions): Promise<number> {
  const limit = limitOf(range, options)
  const sample = sampleSize(options)
  return await cli.world.rehearsal(async (rehearsal, home) => {
    const { clone, layered, repository } = await readEverything(cli, {}, home)
    const { settings, target, base } = layered
    if (sample > 0 && settings.checks.length === 0)
      throw new TerminalError('there are no checks to run', 'run `ropewalk init`, or name one under checks:')
    const commits = await commitsOf(cli, clone, { range, base, limit })
    if (commits.length === 0) throw new TerminalError('no commits are there', 'name a range that has some')
    const policy = toPolicy({ ...settings, target }, factsHere(target, true))
    const stage = openStage(cli)
    try {
      const play = { cli, rehearsal, clone, stage, policy, known: repository }
      const words = await readAll(play, commits)
      const chosen = sampleOf(words, sample)
      if (sample > 0 && chosen.length === 0 && !stage.interrupt.signal.aborted)
        throw new TerminalError('no commit changes code or tests', 'name a range with some that do, or leave out --run')
      const ran = await runAll(play, commits, chosen)
      const runs = sample > 0 ? runsView(chosen, ran) : null
      const interrupted = stage.interrupt.signal.aborted
      const view = { ...rehearsalView(range ?? target, words), runs, interrupted }
      stage.clear()
      if (cli.screen.json) cli.screen.emit(view)
      else cli.screen.print(...rehearsalLines(view))
      return interrupted ? exitCodes.operator : exitCodes.done
    } finally {
      stage.interrupt.close()
    }
  })
}

const defaultLast = 200
const mostCommits = 100_000
const defaultSample = 20

function limitOf(range: string | undefined, { last }: RehearseOptions): number {
  if (last === undefined) return range === undefined ? defaultLast : mostCommits
  return numberOf('--last', last)
}

/** 0: nothing is run. */
function sampleSize({ run, sample }: RehearseOptions): number {
  if (run === true) return sample === undefined ? defaultSample : numberOf('--sample', sample)
  if (sample === undefined) return 0
  throw new TerminalError('--sample says how many are run, and nothing is', 'add --run')
}

function numberOf(option: string, text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new TerminalError(`${option} is "${text}"`, 'give a number of commits, 1 to 99999')
}

async function commitsOf(
  cli: Cli,
  clone: Repository,
  { range, base, limit }: { range: string | undefined; base: string; limit: number },
): Promise<RecentChange[]> {
  if (range === undefined) return await clone.recentChanges({ commit: base, limit })
  const user = await (await cli.world.repositories(cli.world.home)).look(cli.cwd)
  const { tip, since } = await endsOf(user, { range, since: undefined, tip: base })
  for (const end of [tip, ...(since === null ? [] : [since])]) await clone.fetchCommit(end)
  return await clone.recentChanges({ commit: tip, limit, since })
}

interface Stage {
  interrupt: Interrupt
  /** On a terminal: what is done at this moment. */
  now(text: string): void
  clear(): void
}

/** The first Ctrl-C ends what is running, and what is known by then is told. */
function openStage({ screen }: Cli): Stage {
  const redraw: Redraw | null = screen.redraws ? openRedraw(screen) : null
  const interrupt = onInterrupt({
    first: () => redraw?.draw([yellow('Interrupted: ending what is running.')]),
    again: () => process.exit(exitCodes.operator),
  })
  return { interrupt, now: (text) => redraw?.draw([dim(text)]), clear: () => redraw?.draw([]) }
}

interface Play {
  cli: Cli
  rehearsal: Rehearsal
  clone: Repository
  stage: Stage
  policy: ReturnType<typeof toPolicy>
  known: { id: string; path: string }
}

async function readAll({ rehearsal, clone, stage, policy }: Play, commits: RecentChange[]): Promise<Rehearsed[]> {
  const words: Rehearsed[] = []
  for (const [index, commit] of commits.entries()) {
    if (stage.interrupt.signal.aborted) break
    stage.now(`${index + 1} of ${commits.length}: ${shortId(commit.commit)} ${commit.subject}`)
    const word = await rehearsal.judge(clone, { commit, policy })
    if (word !== null) words.push(word)
  }
  return words
}

/** Each is told when it ends. */
async function runAll(play: Play, commits: RecentChange[], chosen: Rehearsed[]): Promise<RehearsedRun[]> {
  const { cli, rehearsal, clone, stage, policy, known } = play
  const { signal } = stage.interrupt
  const ids = new Set(chosen.map(({ commit }) => commit))
  const sample = commits.filter(({ commit }) => ids.has(commit))
  const runs: RehearsedRun[] = []
  for (const [index, commit] of sample.entries()) {
    const place = `${index + 1} of ${sample.length}`
    const onJudge = (judge: string) => stage.now(`${place}: ${shortId(commit.commit)} ${judge}: ${commit.subject}`)
    const [end] = await Promise.allSettled([rehearsal.run(clone, { commit, policy, known, signal, onJudge })])
    if (signal.aborted) break
    if (end.status === 'rejected') throw end.reason
    runs.push(end.value)
    stage.clear()
    // Beside a document, so that whoever waits for it sees that it goes on.
    const line = rehearsedRunLine(place, end.value)
    if (cli.screen.json) cli.screen.warn(line)
    else cli.screen.print(line)
  }
  return runs
}
