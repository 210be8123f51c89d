import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { AgentTurn } from '../../ports/agent-driver.ts'
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
  /** What of ours the settings let it have. */
  passed: Record<string, string>
}

/** What exactly is started. */
export function startOf(options: Record<string, unknown>, model: string | null, { env }: AcpDeps): Start {
  const { command, args, environment } = parseOptions(options)
  const {
    agent: known,
    command: [program, ...own],
  } = knownAgent(command)
  const chosen = model === null || known.modelFlag === null ? [] : [known.modelFlag, model]
  const named = environment.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))
  return { known, program, args: [...own, ...chosen, ...args], passed: Object.fromEntries(named) }
}

/** It may also write the files that it keeps, and its answer. */
export function confinementOf(turn: AgentTurn, known: KnownAgent, env: Variables): Confinement | null {
  if (turn.confine === null) return null
  const home = env.HOME ?? homedir()
  const folders = [
    home,
    ...[
      [env.XDG_CONFIG_HOME, '.config'],
      [env.XDG_DATA_HOME, '.local/share'],
      [env.XDG_STATE_HOME, '.local/state'],
      [env.XDG_CACHE_HOME, '.cache'],
    ].map(([set, usual]) => set ?? join(home, usual ?? '')),
  ]
  const kept = known.keeps.flatMap((name) => folders.map((folder) => join(folder, folder === home ? `.${name}` : name)))
  return { ...turn.confine, write: [...turn.confine.write, dirname(turn.resultFile), ...kept.filter(existsSync)] }
}
