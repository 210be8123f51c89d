import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AgentTurn } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement, Shell } from '../../ports/shell.ts'
import { type KnownAgent, knownAgent } from './known-agents.ts'
import { parseOptions } from './options.ts'
import { inHome, usual, type Variables } from './user-home.ts'

export interface AcpDeps {
  shell: Shell
  /** The environment of an agent: what is allowed of ours, and these. */
  environment: (extra: Record<string, string>) => Record<string, string>
  /** Ours, of which the settings may name more. */
  env: Variables
}

export interface Start {
  known: KnownAgent
  program: string
  args: string[]
  /** What is known to do it good, and what of ours the settings let it have. */
  passed: Record<string, string>
}

/** What exactly is started. */
export function startOf(options: Record<string, unknown>, model: string | null, { env }: AcpDeps): Start {
  const { command, args, environment, permissions } = parseOptions(options)
  const {
    agent: known,
    command: [program, ...own],
  } = knownAgent(command)
  if (permissions === 'ask' && known.unasked !== null)
    throw new TerminalError(
      `${program} cannot be used with permissions: ask: ${known.unasked}`,
      'Set permissions: bypass, with which it is confined like any other agent, or name an agent that asks.',
    )
  const chosen = model === null || known.modelFlag === null ? [] : [known.modelFlag, model]
  const named: Record<string, string> = Object.fromEntries(
    environment.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  )
  return {
    known,
    program,
    args: [...own, ...chosen, ...args],
    passed: { ...(permissions === 'ask' ? known.asking : {}), ...named, ...known.environment(named) },
  }
}

/** It may also write the files that it keeps, and its answer. */
export function confinementOf(turn: AgentTurn, known: KnownAgent, env: Variables): Confinement | null {
  if (turn.confine === null) return null
  const needed = known.needs.map((path) => inHome(path, env))
  for (const folder of [...needed, dirname(turn.resultFile)]) mkdirSync(folder, { recursive: true })
  const usually = known.keeps.flatMap((name) => [`.${name}`, ...usual.map((folder) => `${folder}/${name}`)])
  const found = usually.map((path) => inHome(path, env)).filter((path) => existsSync(path))
  // A folder that its settings name in a variable is its own, wherever it is.
  const named = Object.values(env)
  const hide = turn.confine.hide.filter((path) => !named.includes(path))
  const kept = [...turn.confine.kept, ...turn.confine.hide.filter((path) => named.includes(path))]
  const show = turn.submit === null ? [] : [turn.submit.program, turn.submit.args[0]]
  return {
    ...turn.confine,
    hide,
    show,
    kept,
    write: [...turn.confine.write, dirname(turn.resultFile), ...needed, ...found],
  }
}
