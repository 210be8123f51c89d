import { join, resolve } from 'node:path'
import type { CliAgent } from '../../../src/adapters/agents/cli/cli-agent.ts'
import { cliDriver } from '../../../src/adapters/agents/cli/driver.ts'
import { allowedEnvironment } from '../../../src/adapters/shell/environment.ts'
import { openShell } from '../../../src/adapters/shell/shell.ts'
import type { AgentDriver, AgentErrorKind } from '../../../src/ports/agent-driver.ts'
import type { Exit, Shell } from '../../../src/ports/shell.ts'

/** One agent at its pinned version, and how it is pointed at the fake model API. */
export interface Rig {
  name: string
  model: string
  wrongModel: string
  /** What the user's environment and the settings must say for that. */
  env(url: string): Record<string, string>
  options(url: string): Record<string, unknown>
  /** Files in the user's home, by path. */
  files: Record<string, string>
  driver(world: World): AgentDriver
  /** Told: all that the API counts is in what the agent tells. Rough: it is not. */
  usage: 'told' | 'rough'
  /** Where it cannot do better than this; each with its reason. */
  differs: Partial<Record<Trouble, AgentErrorKind[]>>
  /** For the cases in which a program only pretends to be the agent. */
  speech: Speech
  /** The program that says these things at the right moment. */
  pretender: (acts: string[]) => string
  /** Set where the agent tells when a limit ends: variables with which it sees the time. */
  tellsReset: Record<string, string> | null
  /** Tools of others are loaded while the model is asked already, so that it may not have them: it answers without. */
  loadsLate?: true
  /** It cannot be told to work alone. */
  hasChildren?: true
  /** A call that is cut off once is made again by the agent itself. */
  recovers: boolean
  /** The program that unpacks itself into the user's home when it is first started there. */
  unpacks?: string
}

export type Trouble =
  | '400'
  | '401'
  | '404'
  | '429'
  | '429-after'
  | 'quota'
  | '529'
  | 'stream'
  | 'cut'
  | 'hang'
  | 'stall'

/** What the one call has used of which a pretender tells. */
export const pretendedTokens = { inputTokens: 10, outputTokens: 5, cachedTokens: 0 }

/** Lines of the agent's own stream. */
export interface Speech {
  /** It has begun, and has said "Half a word": that was one call of `pretendedTokens`. */
  opening: object[]
  good: object[]
  /** Each of its last words tells of calls of its own. */
  addsUp?: true
  /** A failure with the status 529. */
  bad: object[]
}

export interface World {
  /** The user's environment. */
  env: Record<string, string>
  folder: string
}

/** Most agents read all of their prompt, and then speak. */
export const pretendLines = (acts: string[]): string => ['for await (const _ of process.stdin);', ...acts].join('\n')

const root = resolve(import.meta.dirname, '../../..')

export const installed = (name: string): string => join(root, '.cache', 'agents', 'bin', name)

export const key = 'fake-key-0123456789'

/** Nothing of the machine's user is seen: the home is a folder of the case. */
export function worldIn(folder: string, env: Record<string, string>): World {
  const home = join(folder, 'home')
  return { folder, env: { PATH: process.env.PATH ?? '', HOME: home, ...env } }
}

export function cliRig(agent: CliAgent): Rig['driver'] {
  const shell = askingOnce(openShell())
  return ({ env, folder }) =>
    cliDriver(agent, {
      shell,
      environment: (extra) => allowedEnvironment(env, extra),
      env,
      homes: join(folder, 'homes'),
    })
}

/** What is installed here is asked for its version once, not by each driver: some need seconds to tell it. */
function askingOnce(shell: Shell): Shell {
  const answers = new Map<string, Exit>()
  const run: Shell['run'] = async (command) => {
    const words = 'program' in command.run ? [command.run.program, ...command.run.args] : []
    const question = words.join(' ')
    if (!question.endsWith(' --version') || !words.some((word) => word.startsWith(installed('..'))))
      return await shell.run(command)
    const exit = answers.get(question) ?? (await shell.run(command))
    if (exit.code === 0) answers.set(question, exit)
    return exit
  }
  return { ...shell, run }
}
