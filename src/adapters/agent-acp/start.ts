import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentTurn } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement, Shell } from '../../ports/shell.ts'
import { type KnownAgent, knownAgent } from './known-agents.ts'
import { parseOptions } from './options.ts'

type Variables = Record<string, string | undefined>

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
  const named = environment.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return {
    known,
    program,
    args: [...own, ...chosen, ...args],
    passed: { ...known.environment, ...(permissions === 'ask' ? known.asking : {}), ...Object.fromEntries(named) },
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

const variables: Record<string, string> = {
  '.config': 'XDG_CONFIG_HOME',
  '.local/share': 'XDG_DATA_HOME',
  '.local/state': 'XDG_STATE_HOME',
  '.cache': 'XDG_CACHE_HOME',
}
const usual = Object.keys(variables)

/** Where a path of the user's home is, when some of it may have been moved. */
function inHome(path: string, env: Variables): string {
  const folder = usual.find((one) => path.startsWith(`${one}/`))
  const moved = folder === undefined ? undefined : env[variables[folder] ?? '']
  if (folder !== undefined && moved) return join(moved, path.slice(folder.length))
  return join(env.HOME ?? homedir(), path)
}
