import type { Shell } from '../../ports/shell.ts'
import type { CliAgent } from './cli-agent.ts'
import type { CliOptions } from './options.ts'

export interface CliDeps {
  shell: Shell
  /** The environment of an agent: what is allowed of ours, and these. */
  environment: (extra: Record<string, string>) => Record<string, string>
  /** The user's environment, of which an agent gets what it is declared to need. */
  env: Record<string, string | undefined>
  /** The folder for the agents' own homes. */
  homes: string
}

/** What of the user's environment the agent may have, because it was declared or because the settings say so. */
export function passedOn(agent: CliAgent, options: CliOptions, { env }: CliDeps): Record<string, string> {
  const names = [...agent.passes, ...options.environment]
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
