import type { Running } from '../work.ts'
import { type Site, seenFrom } from './confine.ts'
import { bringUp } from './instances.ts'
import { endOf, isGood, runBare } from './run-line.ts'

/** `spool`: where all of the output is. */
export type SetUp = { ok: true } | { ok: false; problem: string; output: string; spool?: string }

/** Makes a clean place ready for work: files of the user's, dependencies and generated code, what must be up. */
export async function setUp(work: Running, place: string): Promise<SetUp> {
  const installed = await install(work, place)
  return installed.ok ? await bringUp(work, { place, lived: false }) : installed
}

/** All of it but what must be up. What set-up makes is taken from the pool, or made here, where no agent has been, and kept there. */
export async function install(work: Running, place: string): Promise<SetUp> {
  await lend(work, place)
  const made = await madeIn(work, place)
  if (made.ok) await work.world.holdings.settle(place)
  return made
}

async function madeIn(work: Running, place: string): Promise<SetUp> {
  const key = await poolKey(work, place)
  if (key === null) return await runSetup(work, { place, lived: false })
  const { world, mark, signal } = work
  const seen = await seenFrom(work, { place, lived: false })
  const longestMs = work.input.policy.setup?.timeoutMs ?? 0
  const made = await world.pool.fill<SetUp>({
    ...{ key, place, mark, signal, longestMs, ahead: isRoomy(work) },
    lived: false,
    seenAt: seen === place ? null : seen,
    // What others get a copy of must not depend on the ports and the name of the place where it was made.
    make: () => ran(work, { place, lived: false, env: {} }),
    enlarge: (bytes) => world.holdings.enlarge(place, bytes),
    keeping: (bytes, keep) => world.holdings.besides(place, bytes, keep),
  })
  return made ?? { ok: true }
}

/** What its commands need of the user's files; their secrets are known from now on. */
export async function lend({ world, repository, input }: Running, place: string): Promise<void> {
  const { copy: patterns } = input.policy.workspace
  if (patterns.length === 0) return
  for (const { text } of await repository.lendFiles({ patterns, place })) world.learnSecrets(text)
}

/** Where room is counted, none is spent to be fast. */
export const isRoomy = ({ input }: Running): boolean => input.policy.workspace.quotaMb === null

export async function poolKey(work: Running, place: string): Promise<string | null> {
  const { world, input } = work
  const { setup } = input.policy
  if (setup === null) return null
  const seen = await seenFrom(work, { place, lived: false })
  const environment = [world.environmentKey, ...(seen === place ? [] : [seen])].join('|')
  return await world.pool.keyOf(place, { run: setup.run, reads: setup.reads ?? [], environment })
}

/** The pinned command, in and for this place alone. */
export const runSetup = (work: Running, site: Pick<Site, 'place' | 'lived'>): Promise<SetUp> =>
  ran(work, { ...site, env: work.world.holdings.environmentOf(site.place) })

async function ran(
  work: Running,
  { place, lived, env }: { place: string; lived: boolean; env: Record<string, string> },
): Promise<SetUp> {
  const { world, input, step } = work
  const { setup } = input.policy
  if (setup === null) return { ok: true }
  const { run, timeoutMs } = setup
  const spool = `${step.id}-${work.try}.setup`
  const site = { place, lived, fetches: true }
  const exit = await runBare(work, { run, timeoutMs, cwd: place, site, spool, onLine: null, env })
  if (isGood(exit)) {
    await world.pool.separate(place)
    return { ok: true }
  }
  const output = world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim().slice(-4_000)
  return { ok: false, problem: `the set-up command (${run}) failed: ${endOf(exit)}`, output, spool: exit.spool }
}
