import { rm, writeFile } from 'node:fs/promises'
import type { CodeStory, LendWorkspace } from '../../delivery/step.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Archived, Workspaces } from '../../ports/repository/workspaces.ts'
import { hashOf } from '../../std/hash.ts'
import { setUpFails } from '../check/environment.ts'
import type { Copies, StepWork } from '../work.ts'
import { inCleanPlace } from './clean.ts'
import { bringUp, install, isRoomy, lend, poolKey, runSetup, type SetUp } from './setup.ts'
import { readText } from './text.ts'

/** What is done in a workspace: by an agent, or by a human. */
type Working = StepWork<CodeStory | LendWorkspace, Copies & Workspaces>

/**
 * The attempt's workspace with its dependencies ready: holding exactly the round's first commit, or, with `keep`, as
 * the session that goes on in it has left it.
 */
export async function readyWorkspace(work: Working, path: string, keep: boolean): Promise<void> {
  const { world, step, input } = work
  // Outside the workspace, and written last: a kill during the set-up makes it run again.
  const ready = world.places.result(input.delivery, `ready-${hashOf([step.story, step.attempt])}`)
  const key = hashOf(input.policy.setup)
  const reason = 'in the workspace when the turn began'
  const { created } = await reopen(work, { path, reason, keep })
  world.crashPoint('code:after-workspace')
  await lend(work, path)
  if (created || (await readText(ready)) !== key) {
    await rm(ready, { force: true })
    await prepareOrClose(work, path, created)
    await writeFile(ready, key, { mode: 0o600 })
  }
  accept(await bringUp(work, { place: path, lived: true }), 'Make workspace.services in the settings come up', work)
}

/** Archives what is in the workspace and, unless it is to be kept, puts it back to the round's first commit. */
export async function reopen(
  work: Working,
  { path, reason, keep }: { path: string; reason: string; keep: boolean },
): Promise<{ created: boolean; any: boolean }> {
  const { step, record, repository } = work
  const how = { path, at: step.from, archiveAs: archiveName(work), stays: keep ? 'all' : 'ignored' } as const
  const { created, archived } = await repository.openWorkspace(how)
  // The commit that this round starts from is known already.
  const any = archived !== null && archived.commit !== step.from
  if (any) await record(workArchived(step.story, archived, reason))
  return { created, any }
}

const archiveName = ({ step, input, try: number }: Working): string =>
  `${input.delivery}/${step.story}/a${step.attempt}-r${step.round}-t${number}`

export const workArchived = (story: string, { ref, commit }: Archived, reason: string) =>
  ({ type: 'WorkArchived', story, ref, commit, reason }) as const

/** One in which nobody has worked yet takes no room while it waits to be made ready. */
async function prepareOrClose(work: Working, path: string, created: boolean): Promise<void> {
  const { step, signal, record, repository } = work
  try {
    await prepare(work, path, created)
  } catch (error) {
    const archiveAs = `${archiveName(work)}-given-up`
    const giveUp = async (): Promise<void> => {
      const archived = await repository.closeWorkspace({ path, archiveAs, kept: [step.from] })
      if (archived !== null) await record(workArchived(step.story, archived, 'made by a set-up that was given up'))
    }
    // Whoever aborts may have given it to somebody else.
    if (created && !signal.aborted) await Promise.allSettled([giveUp()])
    throw error
  }
}

/** Runs the set-up once. What it changes besides ignored files is not the story's work. */
async function prepare(work: Working, path: string, created: boolean): Promise<void> {
  // What an agent has been working in says nothing about what set-up would make.
  const done = created ? await takeOrRun(work, path) : await runSetup(work, { place: path, lived: true })
  accept(done, 'Make "setup" in the settings work in a fresh checkout', work)
  await work.world.holdings.settle(path)
  if (work.input.policy.setup === null) return
  const { any } = await reopen(work, { path, reason: 'made by the set-up command', keep: false })
  const text = 'the set-up command changes files that git does not ignore; these changes are dropped'
  if (any) await work.record({ type: 'ConcernRaised', story: null, text })
}

/** A workspace only takes from the pool; what is not there yet is made in a clean place, where no agent can have been. */
async function takeOrRun(work: Working, path: string): Promise<SetUp> {
  const { world, mark, step } = work
  const key = await poolKey(work, path)
  const enlarge = (bytes: number) => world.holdings.enlarge(path, bytes)
  const take = async () =>
    key !== null && (await world.pool.take({ key, place: path, lived: true, mark, ahead: isRoomy(work), enlarge }))
  let found = await take()
  if (found === 'none') {
    const place = { name: '-pool', commit: step.from, dressed: true }
    const made = await inCleanPlace(work, place, (clean) => install(work, clean))
    if (!made.ok) return made
    found = await take()
  }
  return found === 'taken' ? { ok: true } : await runSetup(work, { place: path, lived: true })
}

function accept(done: SetUp, remedy: string, { step }: Working): void {
  if (done.ok) return
  // Nobody has changed anything yet.
  if (step.from === step.base) throw setUpFails(done, 'before any change')
  throw new TerminalError(`${done.problem}: ${done.output.slice(-600)}`, `${remedy}, then retry ${step.story}.`)
}
