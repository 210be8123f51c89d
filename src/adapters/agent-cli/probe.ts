import { randomUUID } from 'node:crypto'
import type { AgentProbe } from '../../ports/agent-driver.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import type { CliAgent } from './cli-agent.ts'
import { type CliDeps, passedOn } from './deps.ts'
import { openHome } from './home.ts'
import { type CliOptions, parseOptions } from './options.ts'
import { versionIn } from './version.ts'

interface Asking extends Pick<Command, 'cwd' | 'env' | 'mark' | 'signal' | 'confine' | 'timeoutMs'> {
  command: string[]
}

/** Starts it, and asks for its version and its options. */
export async function probe(
  agent: CliAgent,
  deps: CliDeps,
  { options: given, cwd, timeoutMs }: { options: Record<string, unknown>; cwd: string; timeoutMs: number },
): Promise<AgentProbe> {
  const options = optionsOf(agent, given)
  if ('usable' in options) return options
  const home = openHome(agent, options, deps)
  const env = deps.environment({ ...passedOn(agent, options, deps), ...home.environment })
  const signal = new AbortController().signal
  const asking = {
    ...{ cwd, env, signal, mark: `probe-${randomUUID()}`, confine: null, timeoutMs },
    command: options.command ?? [agent.program],
  }
  const version = await ask(deps.shell, asking, agent.probe.version)
  const found = versionIn(version.stdoutTail) ?? versionIn(version.stderrTail)
  const help = version.reason === 'timeout' ? version : await ask(deps.shell, asking, agent.probe.help)
  if (help.reason === 'timeout')
    return { ...unusable(found, { problem: lateText(timeoutMs), remedy: 'Start it by hand.' }), late: true }
  const problem = startProblem(agent, version) ?? flagProblem(agent, help, found)
  if (problem !== null) return unusable(found, problem)
  if (options.permissions === 'ask')
    return unusable(found, {
      problem: 'it cannot ask for permission when it runs unattended',
      remedy: `Set permissions: bypass, or use ${agent.name} through the driver acp.`,
    })
  const signedIn = await agent.probe.signedIn({ env, home: home.folder, args: options.args })
  if (signedIn === false) return unusable(found, { problem: 'it is not signed in', remedy: agent.probe.signIn })
  return { usable: true, version: found, signedIn, notes: [] }
}

/** Null when it does not tell. */
export async function askVersion(agent: CliAgent, shell: Shell, asking: Asking): Promise<string | null> {
  const exit = await ask(shell, asking, agent.probe.version)
  return versionIn(exit.stdoutTail) ?? versionIn(exit.stderrTail)
}

interface Unusable {
  problem: string
  remedy: string
}

const unusable = (version: string | null, why: Unusable) => ({ usable: false as const, version, ...why })

const lateText = (timeoutMs: number): string => `it does not answer within ${timeoutMs / 1000} s`

function optionsOf(agent: CliAgent, given: Record<string, unknown>): CliOptions | AgentProbe {
  try {
    return parseOptions(agent.name, given)
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(null, { problem: error.message, remedy: error.remedy })
  }
}

function ask(shell: Shell, { command, ...rest }: Asking, words: string[]): Promise<Exit> {
  const [program = '', ...args] = command
  return shell.run({
    ...rest,
    run: { program, args: [...args, ...words] },
    input: '',
    ...{ idleTimeoutMs: null, isWaiting: null, done: null, spool: null, onLine: null, onStart: null },
  })
}

function startProblem(agent: CliAgent, exit: Exit): Unusable | null {
  if (exit.reason === 'not-found') return { problem: exit.stderrTail, remedy: agent.probe.install }
  if (exit.reason === 'exited' && exit.code === 0) return null
  const words = (exit.stderrTail.trim() || exit.stdoutTail.trim()).slice(-500)
  return { problem: `it does not start (exit code ${exit.code}): ${words}`, remedy: agent.probe.install }
}

function flagProblem(agent: CliAgent, exit: Exit, version: string | null): Unusable | null {
  const known = new Set(`${exit.stdoutTail} ${exit.stderrTail}`.match(/(?<![\w-])-{1,2}[a-z][\w-]*/gi))
  const missing = agent.probe.flags.filter((flag) => !known.has(flag))
  if (missing.length === 0) return null
  const found = version === null ? 'this version' : `version ${version}`
  return {
    problem: `it is too old: ${found} does not know ${missing.join(', ')}`,
    remedy: agent.probe.install.replace(/^Install it:/, 'Install a newer one:'),
  }
}
