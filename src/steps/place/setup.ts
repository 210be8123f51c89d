import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { ServicePolicy } from '../../delivery/policy.ts'
import type { Instance } from '../../ports/holdings.ts'
import type { Command, Confinement, Exit } from '../../ports/shell.ts'
import { hashOf } from '../../std/hash.ts'
import type { Running } from '../work.ts'
import type { StepWorld } from '../world.ts'
import { confinementIn, endOf, isGood, runBare, type Site, seenFrom, silent, tailOf } from './run-line.ts'
import { readText } from './text.ts'

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
  if (isGood(exit)) return await world.pool.separate(place).then(() => ({ ok: true }))
  const output = world.redact(tailOf(exit))
  return { ok: false, problem: `the set-up command (${run}) failed: ${endOf(exit)}`, output, spool: exit.spool }
}

// What must be up while commands and agents run in a place: one instance for each, gone when the place is left.

type At = Pick<Site, 'place' | 'lived'>

/** In their order; the first that does not come up ends it. */
export async function bringUp(work: Running, at: At): Promise<SetUp> {
  for (const wanted of work.input.policy.workspace.services) {
    const up = await bringOneUp(work, wanted, at)
    if (!up.ok) return up
  }
  return { ok: true }
}

/** Also one whose process is gone, and whose place may be. Null: it is down. */
export async function bringDown(world: StepWorld, instance: Instance): Promise<string | null> {
  const { place, name, down, environment, timeoutMs, mark } = instance
  const cwd = existsSync(place) ? place : tmpdir()
  const { signal } = new AbortController()
  const confine = withoutGone(instance.confine ?? null)
  const command = commandOf(world, environment, { cwd, timeoutMs, signal, mark: `${mark}:down`, confine })
  const exit = down === null ? null : await world.shell.run({ ...command, run: { line: down } })
  await world.shell.sweep(mark)
  world.holdings.forgetInstance(instance)
  // What was confined has ended with its namespace, whether or not the command could still find it.
  if (exit === null || isGood(exit) || (confine !== null && !namesContainers(down ?? ''))) return null
  return `${name} was not brought down (${down}): ${endOf(exit)}`
}

/** Brings down what processes have left that were killed. */
export async function bringDownAbandoned(world: StepWorld): Promise<void> {
  for (const instance of world.holdings.adoptInstances()) await bringDown(world, instance)
}

/** The place may be gone, and what was in it: what runs then sees no more than before. */
function withoutGone(confine: Confinement | null): Confinement | null {
  if (confine === null) return null
  const { guise, write } = confine
  // On record from before these were told by themselves.
  const there = { ...{ bare: [], kept: [] }, ...confine, write: write.filter((path) => existsSync(path)) }
  const elsewhere = guise?.elsewhere.filter(({ from }) => existsSync(from))
  return elsewhere === undefined ? there : { ...there, guise: { elsewhere } }
}

const confinedIn = (work: Running, at: At, line: string): Promise<Confinement | null> =>
  confinementIn(work, { ...at, needs: namesContainers(line) ? ['docker'] : [], fetches: false, also: [] })

const namesContainers = (line: string): boolean => /\b(?:docker|podman|compose)\b/.test(line)

const longestMs = 24 * 3_600_000

async function bringOneUp(work: Running, wanted: ServicePolicy, at: At): Promise<SetUp> {
  const { world, signal } = work
  const { place } = at
  const { name, up, down, health, timeoutMs } = wanted
  const environment = world.holdings.environmentOf(place)
  // Of its own: when a command ends, all that carries the command's mark ends with it.
  const mark = `${work.mark}:up:${hashOf([place, name])}`
  const ended = await confinedIn(work, at, down ?? '')
  world.holdings.recordInstance({ place, name, down, environment, timeoutMs, mark, confine: ended })
  const spool = world.places.spool(work.input.delivery, `${work.step.id}-${hashOf([place, name])}.up`)
  const confine = await confinedIn(work, at, `${up} ${health}`)
  const common = commandOf(world, environment, { cwd: place, timeoutMs, signal, mark, confine })
  const running = start(world, { ...common, run: { line: up }, spool, timeoutMs: longestMs })
  const check = health === null ? null : { ...common, run: { line: health }, mark: `${mark}:health` }
  const problem = await readiness(world, running, { check, timeoutMs, signal })
  if (problem === null) return { ok: true }
  const said = `${problem.output}\n${(await readText(spool)) ?? ''}`.trim().slice(-4_000)
  return { ok: false, problem: `${name} did not come up: ${problem.text}`, output: world.redact(said) }
}

/** Null while it runs. */
type Look = () => Exit | Error | null

/** One that stays in the foreground runs until it is brought down. */
function start(world: StepWorld, given: Command): Look {
  let ended: Exit | Error | null = null
  const end = (how: Exit | Error): void => {
    ended = how
  }
  const command = given.confine === null ? given : staying(given, () => end(went))
  void world.shell
    .run(command)
    .then(end, (error: unknown) => end(error instanceof Error ? error : new Error(String(error))))
  return () => ended
}

const went: Exit = {
  ...{ reason: 'exited', code: 0, signal: null, durationMs: 0, outputBytes: 0, leftBehind: 0 },
  ...{ stdoutTail: '', stderrTail: '' },
}

/** What it leaves running would end with it: so its namespace stays, and it tells when it has ended well. */
function staying(command: Command, onGood: () => void): Command {
  const word = `up-${hashOf([command.mark, command.cwd])}`
  const line = 'line' in command.run ? command.run.line : ''
  const run = { line: `(\n${line}\n) || exit $?\necho; echo ${word}\nwhile :; do sleep 3600; done` }
  return { ...command, run, onLine: (said) => (said === word ? onGood() : undefined) }
}

const lookAgainMs = 100

/** Why it is not ready; null: it is. Without a check of its health, it is when its command has ended well. */
async function readiness(
  { clock, shell }: StepWorld,
  running: Look,
  { check, timeoutMs, signal }: { check: Command | null; timeoutMs: number; signal: AbortSignal },
): Promise<{ text: string; output: string } | null> {
  const deadline = clock.now() + timeoutMs
  let output = ''
  while (clock.now() < deadline) {
    const ended = running()
    if (ended instanceof Error) return { text: ended.message, output: '' }
    if (ended !== null && !isGood(ended)) return { text: endOf(ended), output: '' }
    if (check === null && ended !== null) return null
    if (check !== null) {
      const exit = await shell.run({ ...check, timeoutMs: Math.max(1, deadline - clock.now()) })
      if (isGood(exit)) return null
      output = tailOf(exit)
    }
    signal.throwIfAborted()
    await clock.until(clock.now() + lookAgainMs, signal)
  }
  return { text: `it was not ready within ${timeoutMs} ms`, output }
}

const commandOf = (
  world: StepWorld,
  environment: Record<string, string>,
  given: Pick<Command, 'cwd' | 'timeoutMs' | 'signal' | 'mark' | 'confine'>,
): Omit<Command, 'run'> => ({ ...silent, ...given, env: world.environment(environment), spool: null, onLine: null })
