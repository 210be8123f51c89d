import { policyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'
import { type Site, seenFrom } from './confine.ts'
import { bringUp } from './instances.ts'
import { repositoryFor } from './request.ts'
import { endOf, isGood, runBare } from './run-line.ts'

/** `spool`: where all of the output is. */
export type SetUp = { ok: true } | { ok: false; problem: string; output: string; spool?: string }

/** Makes a clean place ready for work: files of the user's, dependencies and generated code, what must be up. */
export async function setUp(world: StepWorld, performance: Performance, cwd: string): Promise<SetUp> {
  const installed = await install(world, performance, cwd)
  return installed.ok ? await bringUp(world, performance, cwd) : installed
}

/** All of it but what must be up. What set-up makes is taken from the pool, or made here, where no agent has been, and kept there. */
export async function install(world: StepWorld, performance: Performance, place: string): Promise<SetUp> {
  await lend(world, performance, place)
  const made = await madeIn(world, performance, place)
  if (made.ok) await world.holdings.settle(place)
  return made
}

async function madeIn(world: StepWorld, performance: Performance, place: string): Promise<SetUp> {
  const key = await poolKey(world, performance, place)
  if (key === null) return await runSetup(world, performance, { place, lived: false })
  const { mark, signal } = performance
  const seen = await seenFrom(world, performance, { place, lived: false })
  const longestMs = policyOf(performance.state).setup?.timeoutMs ?? 0
  const made = await world.pool.fill<SetUp>({
    ...{ key, place, mark, signal, longestMs, ahead: isRoomy(performance) },
    lived: false,
    seenAt: seen === place ? null : seen,
    make: () => runShared(world, performance, place),
    enlarge: (bytes) => world.holdings.enlarge(place, bytes),
    keeping: (bytes, keep) => world.holdings.besides(place, bytes, keep),
  })
  return made ?? { ok: true }
}

/** What its commands need of the user's files; their secrets are known from now on. */
export async function lend(world: StepWorld, { state }: Performance, place: string): Promise<void> {
  const { copy: patterns } = policyOf(state).workspace
  if (patterns.length === 0) return
  const repository = await repositoryFor(world, state)
  for (const { text } of await repository.lendFiles({ patterns, place })) world.learnSecrets(text)
}

/** Where room is counted, none is spent to be fast. */
export const isRoomy = ({ state }: Performance): boolean => policyOf(state).workspace.quotaMb === null

export async function poolKey(world: StepWorld, performance: Performance, place: string): Promise<string | null> {
  const { setup } = policyOf(performance.state)
  if (setup === null) return null
  const seen = await seenFrom(world, performance, { place, lived: false })
  const environment = [world.environmentKey, ...(seen === place ? [] : [seen])].join('|')
  return await world.pool.keyOf(place, { run: setup.run, reads: setup.reads ?? [], environment })
}

/** The pinned command, in and for this place alone. */
export const runSetup = (
  world: StepWorld,
  performance: Performance,
  site: Pick<Site, 'place' | 'lived'>,
): Promise<SetUp> => ran(world, performance, { ...site, env: world.holdings.environmentOf(site.place) })

/** What others get a copy of must not depend on the ports and the name of the place where it was made. */
const runShared = (world: StepWorld, performance: Performance, place: string): Promise<SetUp> =>
  ran(world, performance, { place, lived: false, env: {} })

async function ran(
  world: StepWorld,
  performance: Performance,
  { place, lived, env }: { place: string; lived: boolean; env: Record<string, string> },
): Promise<SetUp> {
  const { setup } = policyOf(performance.state)
  if (setup === null) return { ok: true }
  const { run, timeoutMs } = setup
  const spool = `${performance.step.id}-${performance.try}.setup`
  const site = { place, lived, fetches: true }
  const exit = await runBare(world, performance, { run, timeoutMs, cwd: place, site, spool, onLine: null, env })
  if (isGood(exit)) {
    await world.pool.separate(place)
    return { ok: true }
  }
  const output = world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim().slice(-4_000)
  return { ok: false, problem: `the set-up command (${run}) failed: ${endOf(exit)}`, output, spool: exit.spool }
}
