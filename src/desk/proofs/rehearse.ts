import { TerminalError } from '../../ports/errors.ts'
import type { Rehearsal, Rehearsed, RehearsedRun } from '../../ports/proofs/rehearsal.ts'
import type { RecentChange } from '../../ports/repository/commits.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import { toPolicy } from '../../settings/policy.ts'
import { type RehearsalView, rehearsalSample, rehearsalView, runsView } from '../../views/rehearsal.ts'
import { shortId } from '../../views/step-text.ts'
import { factsHere, readEverything } from '../prepare/settings-layers.ts'
import type { Visit } from '../world.ts'
import { rangeEnds } from './regress.ts'

interface RehearseAsked {
  range: string | undefined
  /** The newest commits; null: all of the range. */
  last: number | null
  /** How many of them are also run; 0: none. */
  sample: number
  signal: AbortSignal
  onRun(place: string, run: RehearsedRun): void
}

const mostCommits = 100_000

/** Replays the history that is here through the judges. Our clone for it, and all that it runs in, is thrown away. */
export async function rehearse(visit: Visit, asked: RehearseAsked): Promise<RehearsalView> {
  const { range, sample, signal } = asked
  return await visit.world.rehearsal(async (rehearsal, home) => {
    const { clone, layered, repository } = await readEverything(visit, {}, home)
    const { settings, target, base } = layered
    if (sample > 0 && settings.checks.length === 0)
      throw new TerminalError('there are no checks to run', 'run `ropewalk init`, or name one under checks:')
    const commits = await commitsOf(visit, clone, { range, base, limit: asked.last ?? mostCommits })
    if (commits.length === 0) throw new TerminalError('no commits are there', 'name a range that has some')
    const policy = toPolicy({ ...settings, target }, factsHere(target, true))
    const onStep = (text: string | null) => visit.hear({ kind: 'doing', text })
    const play = { rehearsal, clone, policy, known: repository, asked, onStep }
    const words = await readAll(play, commits)
    const chosen = rehearsalSample(words, sample)
    if (sample > 0 && chosen.length === 0 && !signal.aborted)
      throw new TerminalError('no commit changes code or tests', 'name a range with some that do, or leave out --run')
    const ran = await runAll(play, commits, chosen)
    onStep(null)
    const runs = sample > 0 ? runsView(chosen, ran) : null
    return { ...rehearsalView(range ?? target, words), runs, interrupted: signal.aborted }
  })
}

async function commitsOf(
  { world, folder }: Visit,
  clone: Repository,
  { range, base, limit }: { range: string | undefined; base: string; limit: number },
): Promise<RecentChange[]> {
  if (range === undefined) return await clone.recentChanges({ commit: base, limit })
  const user = await (await world.repositories(world.home)).look(folder)
  const { tip, since } = await rangeEnds(user, { range, since: undefined, tip: base })
  for (const end of [tip, ...(since === null ? [] : [since])]) await clone.fetchCommit(end)
  return await clone.recentChanges({ commit: tip, limit, since })
}

interface Play {
  rehearsal: Rehearsal
  clone: Repository
  policy: ReturnType<typeof toPolicy>
  known: { id: string; path: string }
  asked: RehearseAsked
  onStep(text: string | null): void
}

async function readAll(
  { rehearsal, clone, policy, asked, onStep }: Play,
  commits: RecentChange[],
): Promise<Rehearsed[]> {
  const words: Rehearsed[] = []
  for (const [index, commit] of commits.entries()) {
    if (asked.signal.aborted) break
    onStep(`${index + 1} of ${commits.length}: ${shortId(commit.commit)} ${commit.subject}`)
    const word = await rehearsal.judge(clone, { commit, policy })
    if (word !== null) words.push(word)
  }
  return words
}

/** Each is told when it ends. */
async function runAll(play: Play, commits: RecentChange[], chosen: Rehearsed[]): Promise<RehearsedRun[]> {
  const { rehearsal, clone, policy, known, asked, onStep } = play
  const { signal } = asked
  const ids = new Set(chosen.map(({ commit }) => commit))
  const sample = commits.filter(({ commit }) => ids.has(commit))
  const runs: RehearsedRun[] = []
  for (const [index, commit] of sample.entries()) {
    const place = `${index + 1} of ${sample.length}`
    const onJudge = (judge: string) => onStep(`${place}: ${shortId(commit.commit)} ${judge}: ${commit.subject}`)
    const [end] = await Promise.allSettled([rehearsal.run(clone, { commit, policy, known, signal, onJudge })])
    if (signal.aborted) break
    if (end.status === 'rejected') throw end.reason
    runs.push(end.value)
    onStep(null)
    asked.onRun(place, end.value)
  }
  return runs
}
