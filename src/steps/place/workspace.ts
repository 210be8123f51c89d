import { rm, writeFile } from 'node:fs/promises'
import type { LendWorkspace } from '../../delivery/plan/steps.ts'
import { policyOf } from '../../delivery/state.ts'
import type { CodeStory } from '../../delivery/step.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Archived, Repository } from '../../ports/repository.ts'
import { hashOf } from '../../std/hash.ts'
import { setUpFails } from '../check/environment.ts'
import type { StepWorld } from '../world.ts'
import { inCleanPlace } from './clean.ts'
import { bringUp } from './instances.ts'
import { install, isRoomy, lend, poolKey, runSetup, type SetUp } from './setup.ts'
import { readText } from './text.ts'

/** What is done in a workspace: by an agent, or by a human. */
export type Working = CodeStory | LendWorkspace

/**
 * The attempt's workspace with its dependencies ready: holding exactly the round's first commit, or, with `keep`, as
 * the session that goes on in it has left it.
 */
export async function openWorkspace(
  world: StepWorld,
  performance: Performance<Working>,
  { repository, path, keep }: { repository: Repository; path: string; keep: boolean },
): Promise<void> {
  const ready = readyFile(world, performance)
  const reason = 'in the workspace when the turn began'
  const { created } = await reopen(performance, { repository, path, reason, keep })
  world.crashPoint('code:after-workspace')
  await lend(world, performance, path)
  if (created || (await readText(ready)) !== setupKey(performance)) {
    await rm(ready, { force: true })
    await prepareOrClose(world, performance, { repository, path, created })
    await writeFile(ready, setupKey(performance), { mode: 0o600 })
  }
  accept(await bringUp(world, performance, path), 'Make workspace.services in the settings come up', performance)
}

/** Archives what is in the workspace and, unless it is to be kept, puts it back to the round's first commit. */
export async function reopen(
  { step, state, try: number, record }: Performance<Working>,
  { repository, path, reason, keep }: { repository: Repository; path: string; reason: string; keep: boolean },
): Promise<{ created: boolean; any: boolean }> {
  const archiveAs = `${state.id}/${step.story}/a${step.attempt}-r${step.round}-t${number}`
  const stays = keep ? 'all' : 'ignored'
  const { created, archived } = await repository.openWorkspace({ path, at: step.from, archiveAs, stays })
  // The commit that this round starts from is known already.
  const any = archived !== null && archived.commit !== step.from
  if (any) await record(workArchived(step.story, archived, reason))
  return { created, any }
}

export const workArchived = (story: string, { ref, commit }: Archived, reason: string) =>
  ({ type: 'WorkArchived', story, ref, commit, reason }) as const

interface Opened {
  repository: Repository
  path: string
  created: boolean
}

/** One in which nobody has worked yet takes no room while it waits to be made ready. */
async function prepareOrClose(world: StepWorld, performance: Performance<Working>, opened: Opened): Promise<void> {
  try {
    await prepare(world, performance, opened)
  } catch (error) {
    // Whoever aborts may have given it to somebody else.
    if (opened.created && !performance.signal.aborted) await Promise.allSettled([giveUp(performance, opened)])
    throw error
  }
}

async function giveUp(
  { step, state, try: number, record }: Performance<Working>,
  { repository, path }: Opened,
): Promise<void> {
  const archiveAs = `${state.id}/${step.story}/a${step.attempt}-r${step.round}-t${number}-given-up`
  const archived = await repository.closeWorkspace({ path, archiveAs, kept: [step.from] })
  if (archived !== null) await record(workArchived(step.story, archived, 'made by a set-up that was given up'))
}

/** Runs the set-up once. What it changes besides ignored files is not the story's work. */
async function prepare(
  world: StepWorld,
  performance: Performance<Working>,
  { repository, path, created }: Opened,
): Promise<void> {
  const { state, record } = performance
  const { setup } = policyOf(state)
  // What an agent has been working in says nothing about what set-up would make.
  const done = created
    ? await takeOrRun(world, performance, { repository, path })
    : await runSetup(world, performance, { place: path, lived: true })
  accept(done, 'Make "setup" in the settings work in a fresh checkout', performance)
  await world.holdings.settle(path)
  if (setup === null) return
  const { any } = await reopen(performance, { repository, path, reason: 'made by the set-up command', keep: false })
  const text = 'the set-up command changes files that git does not ignore; these changes are dropped'
  if (any) await record({ type: 'ConcernRaised', story: null, text })
}

/** A workspace only takes from the pool; what is not there yet is made in a clean place, where no agent can have been. */
async function takeOrRun(
  world: StepWorld,
  performance: Performance<Working>,
  { repository, path }: { repository: Repository; path: string },
): Promise<SetUp> {
  const key = await poolKey(world, performance, path)
  if (key === null) return await runSetup(world, performance, { place: path, lived: true })
  const enlarge = (bytes: number) => world.holdings.enlarge(path, bytes)
  const how = { key, place: path, lived: true, mark: performance.mark, ahead: isRoomy(performance), enlarge }
  const take = () => world.pool.take(how)
  let found = await take()
  if (found === 'none') {
    const place = { name: '-pool', commit: performance.step.from, dressed: true }
    const made = await inCleanPlace({ world, repository, performance }, place, (clean) =>
      install(world, performance, clean),
    )
    if (!made.ok) return made
    found = await take()
  }
  return found === 'taken' ? { ok: true } : await runSetup(world, performance, { place: path, lived: true })
}

function accept(done: SetUp, remedy: string, { step }: Performance<Working>): void {
  // Nobody has changed anything yet.
  if (!done.ok && step.from === step.base) throw setUpFails(done, 'before any change')
  if (!done.ok)
    throw new TerminalError(`${done.problem}: ${done.output.slice(-600)}`, `${remedy}, then retry ${step.story}.`)
}

/** Outside the workspace, and written last: a kill during the set-up makes it run again. */
const readyFile = (world: StepWorld, { step, state }: Performance<Working>): string =>
  world.places.result(state.id, `ready-${hashOf([step.story, step.attempt])}`)

const setupKey = ({ state }: Performance<Working>): string => hashOf(policyOf(state).setup)
