import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentDriver, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import type { Confinement } from '../../ports/shell.ts'
import { turnEnvironment } from '../../ports/turn-environment.ts'
import { hashOf } from '../../std/hash.ts'
import type { CliAgent, Start } from './cli-agent.ts'
import { type CliDeps, passedOn } from './deps.ts'
import { openEar } from './ear.ts'
import { furnish, type Home, openHome } from './home.ts'
import { type CliOptions, parseOptions } from './options.ts'
import { askVersion, probe } from './probe.ts'
import { resultOf } from './result.ts'
import { salvage } from './salvage.ts'
import { spentBy, startingTotals } from './spent.ts'
import { openVersions, type Versions } from './version.ts'

/** An agent product with a command line and a stream of JSON lines, as it is declared. */
export function cliDriver(agent: CliAgent, deps: CliDeps): AgentDriver {
  const versions = openVersions()
  return {
    run: (turn) => run(turn, { agent, deps, versions }),
    salvage: (lost) =>
      salvage(agent, { ...lost, usageFile: usageFileOf(lost.transcript, deps), homes: homesOf(agent, deps) }),
    probe: (options, cwd) => probe(agent, deps, { options, cwd }),
  }
}

interface Given {
  agent: CliAgent
  deps: CliDeps
  versions: Versions
}

async function run(turn: AgentTurn, given: Given): Promise<AgentResult> {
  const { agent, deps } = given
  const options = parseOptions(agent.name, turn.options)
  const home = openHome(agent, options, deps)
  const start = startOf(turn, given, home)
  if (options.home === 'own') furnish(agent, start)
  const folder = dirname(start.usageFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    return await runIn(start, given, { home, options })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function startOf(turn: AgentTurn, { agent, deps }: Given, home: Home): Start {
  const session = turn.session ?? (agent.choosesSession ? turn.openAs : null)
  return { turn, session, home: home.folder, usageFile: usageFileOf(turn.transcript, deps), env: deps.env }
}

/** Known from the transcript alone, so that it is found when the turn has died with our process. */
const usageFileOf = (transcript: string, { homes }: CliDeps): string =>
  join(homes, 'turns', hashOf(transcript), 'usage.json')

const homesOf = (agent: CliAgent, { homes, env }: CliDeps): string[] => [join(homes, agent.name), agent.home.users(env)]

async function runIn(
  start: Start,
  { agent, deps, versions }: Given,
  { home, options }: { home: Home; options: CliOptions },
): Promise<AgentResult> {
  const { turn } = start
  const command = [
    ...(options.command ?? [agent.program]),
    ...agent.args(start),
    ...options.args,
    ...(agent.lastArgs?.(options.args) ?? []),
  ]
  const env = deps.environment(variablesOf(start, { agent, deps }, { home, options }))
  const base = {
    ...{ cwd: turn.workspace, env, mark: turn.mark, signal: turn.signal },
    confine: confinementOf(start, { agent, deps }, home),
  }
  const version = await versions(
    { command: options.command ?? [agent.program], cwd: base.cwd, path: env.PATH ?? '' },
    () => askVersion(agent, deps.shell, { ...base, command: options.command ?? [agent.program] }),
  )
  const totals = await startingTotals(agent, start)
  rmSync(turn.resultFile, { force: true })
  await turn.onEvent({ type: 'started', command, environment: Object.keys(env).sort(), version })
  if (start.session !== null) await turn.onEvent({ type: 'session', session: start.session })
  const ear = openEar(agent.reader(start), (event) =>
    event.type === 'session' && event.session === start.session ? Promise.resolve() : turn.onEvent(event),
  )
  const [program = '', ...args] = command
  const exit = await deps.shell.run({
    ...base,
    run: { program, args },
    input: turn.prompt,
    timeoutMs: turn.timeoutMs,
    idleTimeoutMs: turn.idleTimeoutMs,
    isWaiting: ear.isWaiting,
    done: ear.done,
    spool: turn.transcript,
    onLine: ear.hear,
    onStart: null,
  })
  await ear.recorded()
  const heard = ear.heard()
  const session = heard.session ?? start.session
  const filed = session === null ? null : ((await agent.filed?.({ home: home.folder, session })) ?? null)
  return resultOf({ exit, heard, filed, spent: spentBy(agent, start, { heard, filed, totals }), agent, start })
}

function variablesOf(
  start: Start,
  { agent, deps }: Pick<Given, 'agent' | 'deps'>,
  { home, options }: { home: Home; options: CliOptions },
): Record<string, string> {
  return {
    ...passedOn(agent, options, deps),
    ...home.environment,
    ...agent.environment(start),
    ...turnEnvironment(start.turn),
  }
}

/** It may also write its home with its sign-in, what it unpacks, and the answers of this turn. */
function confinementOf(
  { turn, usageFile }: Start,
  { agent, deps }: Pick<Given, 'agent' | 'deps'>,
  home: Home,
): Confinement | null {
  if (turn.confine === null) return null
  const caches = agent.home.caches(deps.env)
  for (const folder of [...caches, home.folder]) mkdirSync(folder, { recursive: true })
  const own = [home.folder, ...home.linked, ...caches, dirname(turn.resultFile), dirname(usageFile)]
  return { ...turn.confine, write: [...turn.confine.write, ...own] }
}
