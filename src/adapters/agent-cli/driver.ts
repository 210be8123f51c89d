import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentDriver, AgentResult, AgentTurn } from '../../ports/agent-driver.ts'
import type { Command } from '../../ports/shell.ts'
import type { CliAgent } from './cli-agent.ts'
import type { CliDeps } from './deps.ts'
import { type Ear, openEar } from './ear.ts'
import { askVersion, probe } from './probe.ts'
import { makeReady, type Ready, usageFileOf } from './ready.ts'
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
    probe: (options, cwd, timeoutMs) => probe(agent, deps, { options, cwd, timeoutMs }),
  }
}

interface Given {
  agent: CliAgent
  deps: CliDeps
  versions: Versions
}

const homesOf = (agent: CliAgent, { homes, env }: CliDeps): string[] => [join(homes, agent.name), agent.home.users(env)]

async function run(turn: AgentTurn, given: Given): Promise<AgentResult> {
  const ready = makeReady(turn, given.agent, given.deps)
  const folder = dirname(ready.start.usageFile)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  rmSync(turn.resultFile, { force: true })
  try {
    return await runReady(ready, given)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runReady(ready: Ready, given: Given): Promise<AgentResult> {
  const { agent, deps } = given
  const { start } = ready
  const totals = await startingTotals(agent, start)
  await announce(ready, given)
  const ear = openEar(agent.reader(start), start.turn.prompt.length, (event) =>
    event.type === 'session' && event.session === start.session ? Promise.resolve() : start.turn.onEvent(event),
  )
  const exit = await deps.shell.run(commandOf(ready, ear))
  await ear.recorded()
  const heard = ear.heard()
  const session = heard.session ?? start.session
  const filed = session === null ? null : ((await agent.filed?.({ home: start.home, session })) ?? null)
  return resultOf({ exit, heard, filed, spent: spentBy(agent, start, { heard, filed, totals, exit }), agent, start })
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

function commandOf({ start: { turn }, command: [program, ...args], base }: Ready, ear: Ear): Command {
  return {
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
  }
}
