import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Need, ServicePolicy } from '../../delivery/policy.ts'
import type { Instance } from '../../ports/holdings.ts'
import type { Command, Confinement, Exit } from '../../ports/shell.ts'
import { hashOf } from '../../std/hash.ts'
import type { Running } from '../work.ts'
import type { StepWorld } from '../world.ts'
import { confinementIn, endOf, isGood, runBare, type Site, seenFrom, silent } from './run-line.ts'
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
  if (isGood(exit)) {
    await world.pool.separate(place)
    return { ok: true }
  }
  const output = world.redact(`${exit.stdoutTail}\n${exit.stderrTail}`).trim().slice(-4_000)
  return { ok: false, problem: `the set-up command (${run}) failed: ${endOf(exit)}`, output, spool: exit.spool }
}

// What must be up while commands and agents run in a place: one instance for each, gone when the place is left.

type Up = { ok: true } | { ok: false; problem: string; output: string }

type At = Pick<Site, 'place' | 'lived'>

/** In their order; the first that does not come up ends it. */
export async function bringUp(work: Running, at: At): Promise<Up> {
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
  const signal = new AbortController().signal
  const confine = withoutGone(instance.confine ?? null)
  const command = commandOf(world, { environment, cwd, timeoutMs, signal, mark: `${mark}:down`, confine })
  const exit = down === null ? null : await world.shell.run({ ...command, run: { line: down } })
  await world.shell.sweep(mark)
  world.holdings.forgetInstance(instance)
  // What was confined has ended with its namespace, whether or not the command could still find it.
  if (exit === null || isGood(exit) || (confine !== null && !namesContainers(down ?? ''))) return null
  return `${name} was not brought down (${down}): ${endOf(exit)}`
}

/** The place may be gone, and what was in it: what runs then sees no more than before. */
function withoutGone(confine: Confinement | null): Confinement | null {
  if (confine === null) return null
  const { guise, write } = confine
  // On record from before these were told by themselves.
  const there = { ...{ bare: [], kept: [] }, ...confine, write: write.filter((path) => existsSync(path)) }
  return guise === undefined
    ? there
    : { ...there, guise: { elsewhere: guise.elsewhere.filter(({ from }) => existsSync(from)) } }
}

async function confinedIn(work: Running, at: At, line: string): Promise<Confinement | null> {
  const needs: Need[] = namesContainers(line) ? ['docker'] : []
  return await confinementIn(work, { ...at, needs, fetches: false, also: [] })
}

const namesContainers = (line: string): boolean => /\b(?:docker|podman|compose)\b/.test(line)

/** Brings down what processes have left that were killed. */
export async function bringDownAbandoned(world: StepWorld): Promise<void> {
  for (const instance of world.holdings.adoptInstances()) await bringDown(world, instance)
}

async function bringOneUp(work: Running, wanted: ServicePolicy, at: At): Promise<Up> {
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
  const common = commandOf(world, { environment, cwd: place, timeoutMs, signal, mark, confine })
  const running = start(world, { ...common, run: { line: up }, spool, timeoutMs: longestMs })
  const check = health === null ? null : { ...common, run: { line: health }, mark: `${mark}:health` }
  const problem = await readiness(world, { running, check, timeoutMs, signal })
  if (problem === null) return { ok: true }
  const said = [problem.output, (await readText(spool)) ?? ''].join('\n').trim().slice(-4_000)
  return { ok: false, problem: `${name} did not come up: ${problem.text}`, output: world.redact(said) }
}

const longestMs = 24 * 3_600_000

/** Null while it runs. */
type Look = () => Exit | Error | null

/** One that stays in the foreground runs until it is brought down. */
function start(world: StepWorld, given: Command): Look {
  let ended: Exit | Error | null = null
  const command = given.confine === null ? given : staying(given, () => (ended = went))
  void world.shell.run(command).then(
    (exit) => {
      ended = exit
    },
    (error: unknown) => {
      ended = error instanceof Error ? error : new Error(String(error))
    },
  )
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

interface Waiting {
  running: Look
  check: Command | null
  timeoutMs: number
  signal: AbortSignal
}

type Problem = { text: string; output: string }

/** Without a check of its health, it is ready when its command has ended well. */
async function readiness(world: StepWorld, waiting: Waiting): Promise<Problem | null> {
  const { running, check, timeoutMs, signal } = waiting
  const deadline = world.clock.now() + timeoutMs
  let last: Exit | null = null
  while (world.clock.now() < deadline) {
    const ended = running()
    if (ended instanceof Error) return { text: ended.message, output: '' }
    if (ended !== null && !isGood(ended)) return { text: endOf(ended), output: '' }
    if (check === null && ended !== null) return null
    if (check !== null) {
      last = await world.shell.run({ ...check, timeoutMs: Math.max(1, deadline - world.clock.now()) })
      if (isGood(last)) return null
    }
    signal.throwIfAborted()
    await world.clock.until(world.clock.now() + lookAgainMs, signal)
  }
  return { text: `it was not ready within ${timeoutMs} ms`, output: last === null ? '' : outputOf(last) }
}

const lookAgainMs = 100

const outputOf = ({ stdoutTail, stderrTail }: Exit): string => `${stdoutTail}\n${stderrTail}`.trim().slice(-4_000)

function commandOf(
  world: StepWorld,
  given: Pick<Command, 'cwd' | 'timeoutMs' | 'signal' | 'mark' | 'confine'> & { environment: Record<string, string> },
): Omit<Command, 'run'> {
  const { environment, ...rest } = given
  return { ...silent, ...rest, env: world.environment(environment), spool: null, onLine: null }
}
