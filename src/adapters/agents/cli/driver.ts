import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentDriver, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import type { Command } from '../../../ports/shell.ts'
import { turnEnvironment } from '../../../ports/turn-environment.ts'
import { hashOf } from '../../../std/hash.ts'
import { confinedFor } from '../turn.ts'
import type { CliAgent, CliStart } from './cli-agent.ts'
import { openEar } from './ear.ts'
import { furnish, openHome } from './home.ts'
import { type CliDeps, cliOptions, passedOn } from './options.ts'
import { askVersion, openVersions, probeCli, type Versions } from './probe.ts'
import { resultOfRun } from './result.ts'
import { salvageRun, spentInRun, startingTotals } from './spent.ts'

/** An agent product with a command line and a stream of JSON lines, as it is declared. */
export function cliDriver(agent: CliAgent, deps: CliDeps): AgentDriver {
  const versions = openVersions()
  const homes = [join(deps.homes, agent.name), agent.home.users(deps.env)]
  return {
    run: (turn) => run(turn, { agent, deps, versions }),
    salvage: (lost) => salvageRun(agent, { ...lost, usageFile: usageFileOf(lost.transcript, deps), homes }),
    probe: (options, cwd, timeoutMs) => probeCli(agent, deps, { options, cwd, timeoutMs }),
  }
}

/** Known from the transcript alone, so that it is found when the turn has died with our process. */
const usageFileOf = (transcript: string, { homes }: CliDeps): string =>
  join(homes, 'turns', hashOf(transcript), 'usage.json')

interface Given {
  agent: CliAgent
  deps: CliDeps
  versions: Versions
}

async function run(turn: AgentTurn, given: Given): Promise<AgentResult> {
  const ready = makeReady(turn, given)
  const folder = dirname(ready.start.usageFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  rmSync(turn.resultFile, { force: true })
  try {
    return await runReady(ready, given)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Ready {
  start: CliStart
  /** How its program is called, without a word of ours. */
  program: [string, ...string[]]
  command: [string, ...string[]]
  /** What all commands of the turn have in common. */
  base: Pick<Command, 'cwd' | 'env' | 'mark' | 'signal' | 'confine'>
}

/** All that a turn is started with: its home is furnished, nothing has run yet. */
function makeReady(turn: AgentTurn, { agent, deps }: Given): Ready {
  const options = cliOptions(agent, turn.options)
  const home = openHome(agent, options, deps)
  const session = turn.session ?? (agent.choosesSession ? turn.openAs : null)
  const usageFile = usageFileOf(turn.transcript, deps)
  const start: CliStart = { turn, session, home: home.folder, usageFile, env: deps.env }
  if (options.home === 'own') furnish(agent, start)
  const env = deps.environment({
    ...passedOn(agent, options, deps),
    ...home.environment,
    ...agent.environment(start),
    ...turnEnvironment(turn),
  })
  // It may also write its home with its sign-in, what it unpacks, and what it tells of its usage.
  const caches = agent.home.caches(deps.env)
  if (turn.confine !== null) for (const folder of [...caches, home.folder]) mkdirSync(folder, { recursive: true })
  const write = [home.folder, ...home.linked, ...caches, dirname(usageFile)]
  const confine = confinedFor(turn, { write, seen: home.seen })
  const program = options.command ?? [agent.program]
  const last = agent.lastArgs?.(options.args) ?? []
  return {
    start,
    program,
    command: [...program, ...agent.args(start), ...options.args, ...last],
    base: { cwd: turn.workspace, env, mark: turn.mark, signal: turn.signal, confine },
  }
}

async function runReady(ready: Ready, given: Given): Promise<AgentResult> {
  const { agent, deps } = given
  const { start, base } = ready
  const { turn } = start
  const totals = await startingTotals(agent, start)
  await announce(ready, given)
  const ear = openEar(agent.reader(start), turn.prompt.length, (event) =>
    event.type === 'session' && event.session === start.session ? Promise.resolve() : turn.onEvent(event),
  )
  const [program, ...args] = ready.command
  const exit = await deps.shell.run({
    ...{ ...base, run: { program, args }, input: turn.prompt, spool: turn.transcript, onStart: null },
    ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs },
    ...{ isWaiting: ear.isWaiting, done: ear.done, onLine: ear.hear },
  })
  await ear.recorded()
  const heard = ear.heard()
  const session = heard.session ?? start.session
  const filed = session === null ? null : ((await agent.filed?.({ home: start.home, session })) ?? null)
  return resultOfRun({
    exit,
    heard,
    filed,
    spent: spentInRun(agent, start, { heard, filed, totals, exit }),
    agent,
    start,
  })
}

const versionMs = 20_000

async function announce({ start, program, command, base }: Ready, { agent, deps, versions }: Given): Promise<void> {
  const { turn, session } = start
  const version = await versions({ command: program, cwd: base.cwd, path: base.env.PATH ?? '' }, () =>
    askVersion(agent, deps.shell, { ...base, command: program, timeoutMs: versionMs }),
  )
  await turn.onEvent({ type: 'started', command, environment: Object.keys(base.env).sort(), version })
  if (session !== null) await turn.onEvent({ type: 'session', session })
}
