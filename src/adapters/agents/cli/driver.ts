import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentDriver, AgentResult, AgentTurn } from '../../../ports/agent-driver.ts'
import { hashOf } from '../../../std/hash.ts'
import { confinedFor, turnEnvironment } from '../turn.ts'
import type { CliAgent, CliStart } from './cli-agent.ts'
import { type CliDeps, cliOptions, furnish, openHome, passedOn } from './home.ts'
import { openVersions, probeCli, type Versions } from './probe.ts'
import { openEar } from './reader.ts'
import { resultOfRun, salvageRun, startingTotals } from './result.ts'

/** An agent product with a command line and a stream of JSON lines, as it is declared. */
export function cliDriver(agent: CliAgent, deps: CliDeps): AgentDriver {
  const versions = openVersions(deps.shell)
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

/** All that a turn is started with: its home is furnished, nothing has run yet. */
function makeReady(turn: AgentTurn, { agent, deps }: Given) {
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
  const caches = agent.home.caches?.(deps.env) ?? []
  if (turn.confine !== null) for (const folder of [...caches, home.folder]) mkdirSync(folder, { recursive: true })
  const write = [home.folder, ...home.linked, ...caches, dirname(usageFile)]
  const confine = confinedFor(turn, { write, seen: home.seen })
  const program = options.command ?? agent.program
  const [first, ...words] = program
  return {
    start,
    /** How its program is called, without a word of ours. */
    program,
    run: {
      program: first,
      args: [...words, ...agent.args(start), ...options.args, ...(agent.lastArgs?.(options.args) ?? [])],
    },
    /** What all commands of the turn have in common. */
    base: { cwd: turn.workspace, env, mark: turn.mark, signal: turn.signal, confine },
  }
}

const versionMs = 20_000

async function runReady(
  { start, program, run, base }: ReturnType<typeof makeReady>,
  { agent, deps, versions }: Given,
): Promise<AgentResult> {
  const { turn, home } = start
  const totals = await startingTotals(agent, start)
  const version = await versions({ ...base, command: program, timeoutMs: versionMs })
  const command = [run.program, ...run.args]
  await turn.onEvent({ type: 'started', command, environment: Object.keys(base.env).sort(), version })
  if (start.session !== null) await turn.onEvent({ type: 'session', session: start.session })
  const ear = openEar(agent.reader(start), turn.prompt.length, async (event) => {
    if (event.type !== 'session' || event.session !== start.session) await turn.onEvent(event)
  })
  const exit = await deps.shell.run({
    ...{ ...base, run, input: turn.prompt, spool: turn.transcript, onStart: null },
    ...{ timeoutMs: turn.timeoutMs, idleTimeoutMs: turn.idleTimeoutMs },
    ...{ isWaiting: ear.isWaiting, done: ear.done, onLine: ear.hear },
  })
  await ear.recorded()
  const heard = ear.heard()
  const session = heard.session ?? start.session
  const filed = session === null ? null : ((await agent.filed?.({ home, session })) ?? null)
  return resultOfRun({ agent, start, heard, exit, filed, totals })
}
