import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import type { AgentProbe } from '../../../ports/agent-driver.ts'
import type { Command, Exit, Shell } from '../../../ports/shell.ts'
import { filesNamed, probed, quickly, unusable } from '../turn.ts'
import type { CliAgent } from './cli-agent.ts'
import { type CliDeps, cliOptions, openHome, passedOn } from './home.ts'

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
      command: options.command ?? agent.program,
    }
    const version = await ask(deps.shell, asking, ['--version'])
    const found = versionIn(version)
    const help = version.reason === 'timeout' ? version : await ask(deps.shell, asking, agent.probe.help ?? ['--help'])
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

export type Versions = ReturnType<typeof openVersions>

/** What a program calls itself, asked once for each state of its files: a command may be an interpreter with a file. */
export function openVersions(shell: Shell) {
  const known = new Map<string, string>()
  return async (asking: Asking): Promise<string | null> => {
    const { command, cwd, env } = asking
    const files = command.map((word, place) => filesNamed(word, cwd, place === 0 ? env.PATH : '')[0] ?? null)
    if (files[0] === null) return null
    const key = JSON.stringify(files.map((file, place) => (file === null ? command[place] : stateOf(file))))
    const version = known.get(key) ?? versionIn(await ask(shell, asking, ['--version']))
    if (version !== null) known.set(key, version)
    return version
  }
}

function stateOf(file: string): unknown[] {
  const { mtimeMs, size } = statSync(file)
  return [file, mtimeMs, size]
}
