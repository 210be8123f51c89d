import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TerminalError } from '../../../ports/errors.ts'
import type { Rehearsed } from '../../../ports/proofs/rehearsal.ts'
import type { RecentChange, Repository } from '../../../ports/repository.ts'
import type { Settings } from '../../../settings/settings.ts'
import { rehearsalView } from '../../../views/rehearsal/rehearsal.ts'
import { shortId } from '../../../views/step-text.ts'
import { exitCodes } from '../../exit-code.ts'
import { readEverything } from '../../prepare/preflight.ts'
import { dim } from '../../show/line.ts'
import { rehearsalLines } from '../../show/lines/rehearsal-lines.ts'
import { openRedraw } from '../../show/redraw.ts'
import type { Cli } from '../../world.ts'
import { endsOf } from './regress-request.ts'

export interface RehearseOptions {
  last?: string
}

/** Replays the history that is here through the judges that only read. Our clone for it is thrown away. */
export async function rehearse(cli: Cli, range: string | undefined, options: RehearseOptions): Promise<number> {
  const limit = limitOf(range, options)
  const home = await mkdtemp(join(tmpdir(), 'ropewalk-rehearse-'))
  try {
    const { clone, layered } = await readEverything(cli, {}, home)
    const { settings, target, base } = layered
    const commits = await commitsOf(cli, clone, { range, base, limit })
    if (commits.length === 0) throw new TerminalError('no commits are there', 'name a range that has some')
    const view = rehearsalView(range ?? target, await judged(cli, clone, { commits, settings }))
    if (cli.screen.json) cli.screen.emit(view)
    else cli.screen.print(...rehearsalLines(view))
    return exitCodes.done
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

const defaultLast = 200
const mostCommits = 100_000

function limitOf(range: string | undefined, { last }: RehearseOptions): number {
  if (last === undefined) return range === undefined ? defaultLast : mostCommits
  if (/^[1-9]\d{0,4}$/.test(last)) return Number(last)
  throw new TerminalError(`--last is "${last}"`, 'give a number of commits, 1 to 99999')
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

async function judged(
  { world, screen }: Cli,
  clone: Repository,
  { commits, settings }: { commits: RecentChange[]; settings: Settings },
): Promise<Rehearsed[]> {
  const rehearsal = await world.rehearsal()
  const redraw = screen.redraws ? openRedraw(screen) : null
  const words: Rehearsed[] = []
  for (const [index, commit] of commits.entries()) {
    redraw?.draw([dim(`${index + 1} of ${commits.length}: ${shortId(commit.commit)} ${commit.subject}`)])
    const word = await rehearsal.judge(clone, { commit, policy: settings })
    if (word !== null) words.push(word)
  }
  redraw?.draw([])
  return words
}
