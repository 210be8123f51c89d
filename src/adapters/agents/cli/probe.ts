import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import type { AgentProbe } from '../../../ports/agent-driver.ts'
import type { Command, Exit, Shell } from '../../../ports/shell.ts'
import { probed, quickly, unusable } from '../turn.ts'
import type { CliAgent } from './cli-agent.ts'
import { openHome } from './home.ts'
import { type CliDeps, cliOptions, passedOn } from './options.ts'

interface Visit {
  options: Record<string, unknown>
  cwd: string
  timeoutMs: number
}

/** Starts it, and asks for its version and its options. */
export function probeCli(agent: CliAgent, deps: CliDeps, visit: Visit): Promise<AgentProbe> {
  return probed(async () => {
    const options = cliOptions(agent, visit.options)
    const home = openHome(agent, options, deps)
    const env = deps.environment({ ...passedOn(agent, options, deps), ...home.environment })
    const signal = new AbortController().signal
    const { cwd, timeoutMs } = visit
    const asking = {
      ...{ cwd, env, signal, mark: `probe-${randomUUID()}`, confine: null, timeoutMs },
      command: options.command ?? [agent.program],
    }
    const version = await ask(deps.shell, asking, agent.probe.version)
    const found = versionIn(version)
    const help = version.reason === 'timeout' ? version : await ask(deps.shell, asking, agent.probe.help)
    if (help.reason === 'timeout')
      return { ...unusable(found, `it does not answer within ${timeoutMs / 1000} s`, 'Start it by hand.'), late: true }
    const refused = startProblem(agent, version) ?? flagProblem(agent, help, found)
    if (refused !== null) return unusable(found, ...refused)
    if (options.permissions === 'ask')
      return unusable(
        found,
        'it cannot ask for permission when it runs unattended',
        `Set permissions: bypass, or use ${agent.name} through the driver acp.`,
      )
    const signedIn = await agent.probe.signedIn({ env, home: home.folder, args: options.args })
    if (signedIn === false) return unusable(found, 'it is not signed in', agent.probe.signIn)
    return { usable: true, version: found, signedIn, notes: [] }
  })
}

interface Asking extends Pick<Command, 'cwd' | 'env' | 'mark' | 'signal' | 'confine' | 'timeoutMs'> {
  command: string[]
}

/** Null when it does not tell. */
export const askVersion = async (agent: CliAgent, shell: Shell, asking: Asking): Promise<string | null> =>
  versionIn(await ask(shell, asking, agent.probe.version))

function ask(shell: Shell, { command, ...rest }: Asking, words: string[]): Promise<Exit> {
  const [program = '', ...args] = command
  return shell.run({ ...quickly, ...rest, run: { program, args: [...args, ...words] } })
}

/** What is wrong, and what helps. */
type Problem = [string, string]

function startProblem(agent: CliAgent, exit: Exit): Problem | null {
  if (exit.reason === 'not-found') return [exit.stderrTail, agent.probe.install]
  if (exit.reason === 'exited' && exit.code === 0) return null
  const words = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-500)
  return [`it does not start (exit code ${exit.code}): ${words}`, agent.probe.install]
}

function flagProblem(agent: CliAgent, exit: Exit, version: string | null): Problem | null {
  const known = new Set(`${exit.stdoutTail} ${exit.stderrTail}`.match(/(?<![\w-])-{1,2}[a-z][\w-]*/gi))
  const missing = agent.probe.flags.filter((flag) => !known.has(flag))
  if (missing.length === 0) return null
  const found = version === null ? 'this version' : `version ${version}`
  return [
    `it is too old: ${found} does not know ${missing.join(', ')}`,
    agent.probe.install.replace(/^Install it:/, 'Install a newer one:'),
  ]
}

/** `2.1.325 (Claude Code)`, `codex-cli 0.166.0`: the number in it. */
function versionIn({ stdoutTail, stderrTail }: Exit): string | null {
  const numbers = [stdoutTail, stderrTail].map((text) => /\d+\.\d+\.\d+(?:[-+][\w.+-]+)?/.exec(text)?.[0])
  return numbers.find((number) => number !== undefined) ?? null
}

/** What a program calls itself, asked once for each state of its files. */
export function openVersions() {
  const known = new Map<string, string>()
  return async (of: Called, askIt: () => Promise<string | null>): Promise<string | null> => {
    const key = keyOf(of)
    if (key === null) return null
    const version = known.get(key) ?? (await askIt())
    if (version !== null) known.set(key, version)
    return version
  }
}

export type Versions = ReturnType<typeof openVersions>

interface Called {
  command: string[]
  cwd: string
  path: string
}

/** Null when the program is not there. A command may be an interpreter with a file: the file counts as well. */
function keyOf({ command, cwd, path }: Called): string | null {
  const [program = '', ...rest] = command
  const files = program.includes('/') ? [program] : path.split(delimiter).map((folder) => join(folder, program))
  const found = files.map((file) => stateOf(resolve(cwd, file))).find((state) => state !== null)
  if (found === undefined) return null
  return JSON.stringify([found, ...rest.map((word) => stateOf(resolve(cwd, word)) ?? word)])
}

function stateOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() ? `${file} ${found.mtimeMs} ${found.size}` : null
}
