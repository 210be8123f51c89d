#!/usr/bin/env node
// The only file that knows every room. Each part is loaded when a verb first asks for it. All below `main` are
// functions: it is called before constants would be there.
import { existsSync, readdirSync } from 'node:fs'
import { arch, homedir, hostname, platform, release, tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { Redactor } from './adapters/shell/redaction.ts'
import type { DeskWorld, Visitor } from './desk/world.ts'
import type { EngineWorld } from './engine/world.ts'
import type { AgentDriver } from './ports/agent-driver.ts'
import type { Rehearsal } from './ports/proofs/rehearsal.ts'
import type { Shell } from './ports/shell.ts'
import { crashPoints, withCrashPoints } from './std/crash-point.ts'
import { once, remembered } from './std/once.ts'
import type { StepWorld } from './steps/world.ts'

declare const ROPEWALK_VERSION: string | undefined
const version = typeof ROPEWALK_VERSION === 'undefined' ? 'unbundled' : ROPEWALK_VERSION

const leaseMs = 30_000
const { env } = process

if (process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? ''))
  process.stdout.write(`${version}\n`)
else await main(process.argv.slice(2))

async function main(args: string[]): Promise<void> {
  // Whoever reads our output may stop reading, as `head` does.
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
  const home = resolve(env.ROPEWALK_HOME || join(env.XDG_STATE_HOME || join(homedir(), '.local/state'), 'ropewalk'))
  const rooms = openRooms(home)
  try {
    const [{ runProgram }, { openDesk }] = await Promise.all([import('./cli/program.ts'), import('./desk/desk.ts')])
    const world = deskWorld(rooms)
    const user = env.USER || userInfo().username
    const desk = (visitor: Omit<Visitor, 'user'>) => openDesk(world, { ...visitor, user })
    const examples = join(import.meta.dirname, '../examples')
    process.exitCode = await runProgram(args, { version, home, examples, desk })
  } catch (error) {
    await report(error, args)
  } finally {
    await rooms.close().catch((error: unknown) => report(error, args))
  }
}

async function report(error: unknown, args: string[]): Promise<void> {
  const { describeError } = await import('./cli/show/error-text.ts')
  const { text, json } = describeError(error, env)
  if (args.includes('--json')) process.stdout.write(`${json}\n`)
  const { rowsOn } = await import('./cli/show/screen.ts')
  process.stderr.write(rowsOn(process.stderr, [text], false))
  process.exitCode = 1
}

type Rooms = ReturnType<typeof openRooms>

function deskWorld(rooms: Rooms): DeskWorld {
  const { home, log, clock, wake, repositories, prices, pulses, signing, pool } = rooms
  const kinds = ['workspaces', 'places', 'spools', 'results', 'pulses'] as const
  return {
    ...{ home, env, log, repositories, prices, pulses, signing, pool },
    userFile: join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'ropewalk', 'config.yaml'),
    intake: async () => ({ log: await log(), clock: await clock(), wake: await wake() }),
    repositoryId: async (folder) => (await import('./adapters/git/repository-id.ts')).repositoryIdAround(folder),
    driver: async (name) => (await rooms.driver(name))!,
    verification: (folder) => openVerification(rooms, folder),
    regression: (folder) => openRegression(rooms, folder),
    rehearsal: (use) => inRehearsal(rooms, use),
    material: async (repository, request) =>
      (await import('./steps/check/guard/former-tree.ts')).materialOf(repository, request),
    learning: (folder) => openLearning(rooms, folder),
    prompts: async () => (await import('./steps/preview.ts')).openPrompts(await openSteps(rooms)),
    unconfinable: async () => (await rooms.shell()).unconfinable(),
    strayInstructions: async () => {
      const { strayInstructions } = await import('./adapters/shell/users-home.ts')
      return strayInstructions(join(home, 'workspaces'), homedir())
    },
    abandoned: async () => (await rooms.holdings()).abandoned(),
    bringDownAbandoned: async () => {
      const { freeGoneHomes } = await import('./steps/verify/rerun.ts')
      await freeGoneHomes(await rooms.shell(), tmpdir())
      return (await import('./steps/place/setup.ts')).bringDownAbandoned(await openSteps(rooms))
    },
    sweep: async (delivery) => (await rooms.shell()).sweep(`${await homeTag(home)}:${delivery}:`),
    engine: (onChange) => openEngine(rooms, onChange),
    gitVersion,
    folders: (delivery) => Object.fromEntries(kinds.map((kind) => [kind, join(home, kind, delivery)])) as never,
    housed: () => [...new Set(kinds.flatMap((kind) => namesIn(join(home, kind))))],
    salvage: async () => (await import('./adapters/log-sqlite/salvage.ts')).salvage(home, await rooms.blobs()),
    keptRefs: async () => (await import('./adapters/git/refs.ts')).keptRefs(home),
  }
}

function openRooms(home: string) {
  const opened: { close(): Promise<void> }[] = []
  const blobs = once(async () => (await import('./adapters/blobs-files/blobs.ts')).fileBlobs(home))
  const redactor = once(async () => (await import('./adapters/shell/redaction.ts')).openRedactor(env))
  const shell = once(async () => (await import('./adapters/shell/shell.ts')).openShell({ redactor: await redactor() }))
  return {
    home,
    blobs,
    redactor,
    shell,
    secrets: once(async () => (await import('./adapters/secrets-secretlint/scan.ts')).scanSecrets),
    code: once(async () => (await import('./adapters/code-ast-grep/code-reader.ts')).loadCodeReader()),
    clock: once(async () => (await import('./adapters/clock-system/clock.ts')).systemClock()),
    prices: once(async () => (await import('./adapters/prices-genai/prices.ts')).listedPrices()),
    signing: once(async () => (await import('./adapters/ssh/signing.ts')).sshSigning()),
    memory: once(async () => (await import('./adapters/memory-files/memory.ts')).fileMemory(home)),
    pulses: once(async () => (await import('./adapters/pulses-files/pulses.ts')).filePulses(home)),
    wake: once(async () => (await import('./adapters/wake-files/wake.ts')).fileWake(home)),
    pool: once(async () => {
      const pool = (await import('./adapters/pool-files/pool.ts')).filePool(home)
      opened.push(pool)
      return pool
    }),
    holdings: once(async () => (await import('./adapters/pool-files/holdings.ts')).fileHoldings(home)),
    places: once(async () => (await import('./adapters/places-local/places.ts')).localPlaces(home)),
    log: once(async () => {
      const log = await (await import('./adapters/log-sqlite/log.ts')).openSqliteLog(home, await blobs())
      opened.push(log)
      return log
    }),
    repositories: remembered(async (under) =>
      (await import('./adapters/git/repositories.ts')).openRepositories({ home: under }),
    ),
    driver: remembered((name: string) => openDriver({ home, shell, redactor }, name)),
    async close() {
      for (const one of opened) await one.close()
    },
  }
}

type DriverRooms = { home: string; shell: () => Promise<Shell>; redactor: () => Promise<Redactor> }

/** Each driver is loaded when an agent of its kind is first asked. */
async function openDriver(rooms: DriverRooms, name: string): Promise<AgentDriver | null> {
  const { allowedEnvironment } = await import('./adapters/shell/environment.ts')
  const environment: StepWorld['environment'] = (extra) => allowedEnvironment(env, extra)
  const deps = { shell: await rooms.shell(), environment, env, homes: join(rooms.home, 'agents') }
  if (name === 'command') return (await import('./adapters/agents/command.ts')).commandDriver(deps)
  if (name === 'scripted') {
    const { redact } = await rooms.redactor()
    return (await import('./adapters/agents/scripted/driver.ts')).scriptedDriver({ ...deps, redact })
  }
  if (name === 'acp') return (await import('./adapters/agents/acp/driver.ts')).acpDriver(deps)
  if (name === 'builtin') {
    const { builtinDriver } = await import('./adapters/agents/cli/builtin.ts')
    return builtinDriver(join(import.meta.dirname, 'agent-builtin.js'), deps)
  }
  const { isProduct } = await import('./settings/drivers.ts')
  if (!isProduct(name)) return null
  const { productDrivers } = await import('./adapters/agents/cli/products.ts')
  return (await import('./adapters/agents/cli/driver.ts')).cliDriver(await productDrivers[name](), deps)
}

async function openEngine(rooms: Rooms, onChange: EngineWorld['onChange']): Promise<EngineWorld> {
  const { randomBytes } = await import('node:crypto')
  const { performers } = await import('./steps/perform.ts')
  const { bringDownAbandoned } = await import('./steps/place/setup.ts')
  const world = await openSteps(rooms)
  const { shell, clock, crashPoint } = world
  const [log, wake] = await Promise.all([rooms.log(), rooms.wake()])
  const perform = performers(world)
  const { pid } = process
  const host = hostname()
  const worker = { id: `${host}-${pid}-${randomBytes(4).toString('hex')}`, host, pid }
  return {
    ...{ log, clock, wake, perform, worker, leaseMs, onChange, crashPoint, dayOf },
    async sweep(markPrefix) {
      if (markPrefix !== null) await shell.sweep(markPrefix)
      await bringDownAbandoned(world)
    },
    homeTag: await homeTag(rooms.home),
  }
}

async function openSteps(rooms: Rooms): Promise<StepWorld> {
  const [log, clock, shell] = await Promise.all([rooms.log(), rooms.clock(), rooms.shell()])
  const [places, pool, holdings] = await Promise.all([rooms.places(), rooms.pool(), rooms.holdings()])
  const [blobs, memory, signing] = await Promise.all([rooms.blobs(), rooms.memory(), rooms.signing()])
  const [prices, pulses] = await Promise.all([rooms.prices(), rooms.pulses()])
  const { crashPoint, repository } = await crashable(rooms)
  const { redact, learn } = await rooms.redactor()
  const usersPlaces = await import('./adapters/shell/users-home.ts')
  const { compiledOf, ownCaches, toolPlaces } = await import('./adapters/shell/users-home.ts')
  const { usersEnvironment } = await import('./adapters/shell/environment.ts')
  const { productPlaces } = await import('./adapters/agents/cli/products.ts')
  const users = { home: rooms.home, userHome: homedir(), env, agents: productPlaces(env) }
  return {
    ...{ repository, shell, log, clock, crashPoint, dayOf },
    ...{ places, pool, holdings, blobs, memory, signing, prices, pulses, driver: rooms.driver },
    submitProgram: { program: process.execPath, file: join(import.meta.dirname, 'submit.js') },
    environment: (extra) => usersEnvironment(env, extra),
    environmentKey: [platform(), arch(), release(), process.version, env.PATH ?? ''].join('|'),
    redact,
    learnSecrets: learn,
    secretPlaces: usersPlaces.secretPlaces(users),
    guardedPlaces: usersPlaces.guardedPlaces(users),
    strayInstructions: (folder) => usersPlaces.strayInstructions(folder, homedir()),
    tools: {
      ...{ home: homedir(), ours: rooms.home, places: once(() => toolPlaces(homedir())) },
      caches: once(() => ownCaches(users)),
      compiled: compiledOf(users),
    },
    web: once(async () => (await import('./adapters/web/web.ts')).openWeb()),
    ...{ secrets: rooms.secrets, code: rooms.code },
    formats: once(async () => (await import('./adapters/formats/formats.ts')).formats()),
  }
}

/** A look at proofs leaves nothing behind: no home is made for it. */
async function openVerification(rooms: Rooms, folder: string): ReturnType<DeskWorld['verification']> {
  const { openVerifier } = await import('./steps/verify/verifier.ts')
  const repositories = await rooms.repositories(rooms.home)
  const repository = await repositories.look(folder)
  const known = existsSync(join(rooms.home, 'log.sqlite'))
  const verifier = openVerifier({
    repository,
    signing: await rooms.signing(),
    log: known ? await rooms.log() : null,
    steps: known ? () => openSteps(rooms) : null,
    blobs: await rooms.blobs(),
    textsIn: async (settings) => (await import('./settings/problem.ts')).textsIn(settings),
    rerun: async (commit, use) =>
      await inFreshRooms(rooms, async (there, mark) => {
        const world = await openSteps(there)
        const clone = await world.repository(await repositories.find(folder))
        await clone.fetchCommit(commit)
        return await use({ world: { ...world, repository: async () => clone }, clone, mark })
      }),
  })
  return { repository, verifier }
}

/** In a home for this time alone, whatever it runs. */
async function inRehearsal<T>(rooms: Rooms, use: (rehearsal: Rehearsal, home: string) => Promise<T>): Promise<T> {
  const { openRehearsal } = await import('./steps/rehearsal.ts')
  return await inFreshRooms(rooms, async (there, mark) => {
    const own = existsSync(rooms.home) ? [rooms.home] : []
    const steps = once(async () => {
      const world = await openSteps(there)
      return { ...world, secretPlaces: [...world.secretPlaces, ...own] }
    })
    return await use(openRehearsal({ secrets: rooms.secrets, code: rooms.code, steps, mark }), there.home)
  })
}

async function inFreshRooms<T>(rooms: Rooms, use: (there: Rooms, mark: string) => Promise<T>): Promise<T> {
  const { freeGoneHomes, inFreshHome, markOf } = await import('./steps/verify/rerun.ts')
  await freeGoneHomes(await rooms.shell(), tmpdir())
  return await inFreshHome(tmpdir(), async (home) => {
    // What is up for it is on record where the next run or gc finds it, if there is a home at all.
    const there = { ...openRooms(home), ...(existsSync(rooms.home) && { holdings: rooms.holdings }) }
    return await use(there, markOf(home)).finally(() => there.close())
  })
}

async function openRegression(rooms: Rooms, folder: string): ReturnType<DeskWorld['regression']> {
  const { openRegressionSearch } = await import('./steps/regress/search.ts')
  const known = await (await rooms.repositories(rooms.home)).find(folder)
  const world = await openSteps(rooms)
  return openRegressionSearch({ ...world, known, clone: await world.repository(known), ...(await ownSearch(rooms)) })
}

async function openLearning(rooms: Rooms, folder: string): ReturnType<DeskWorld['learning']> {
  const { openLearning, readByModel } = await import('./steps/learn.ts')
  const repositories = await rooms.repositories(rooms.home)
  const known = await repositories.find(folder)
  const repository = await repositories.open(known)
  const { now } = await rooms.clock()
  const { redact } = await rooms.redactor()
  return openLearning({
    ...{ known, repository, memory: await rooms.memory(), now, redact },
    read: async (by, about) => {
      const place = { known, repository, ...(await ownSearch(rooms)) }
      return await readByModel(await openSteps(rooms), place, { by, ...about })
    },
  })
}

/** A name for work that is no delivery, and the mark of its processes. */
async function ownSearch({ home }: Rooms): Promise<{ id: string; mark: string }> {
  const { ownSearchId } = await import('./desk/gc/searches.ts')
  const id = ownSearchId()
  return { id, mark: `${await homeTag(home)}:${id}:try` }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Tells the processes of this home from those of another. */
async function homeTag(home: string): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(home).digest('hex').slice(0, 12)
}

/** For tests: ROPEWALK_CRASH_AT=<point>[:n] kills the process the nth time that it gets there. */
async function crashable(rooms: Rooms): Promise<Pick<StepWorld, 'crashPoint' | 'repository'>> {
  const crashPoint = crashPoints(env.ROPEWALK_CRASH_AT, () => process.kill(process.pid, 'SIGKILL'))
  const { open } = await rooms.repositories(rooms.home)
  return { crashPoint, repository: async (known) => withCrashPoints('repository', await open(known), crashPoint) }
}

async function gitVersion(): Promise<string | null> {
  const { execFile } = await import('node:child_process')
  const output = await new Promise<string>((done) => execFile('git', ['--version'], (_, text) => done(text)))
  return /\d+(?:\.\d+)+/.exec(output)?.[0] ?? null
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
