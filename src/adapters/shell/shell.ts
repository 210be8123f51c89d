import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import { once } from '../../std/once.ts'
import {
  type Bubblewrap,
  type Confining,
  cannotConfine,
  confiningOf,
  findBubblewrap,
  findProgram,
  markVariable,
  notThisTime,
  wrap,
} from './bubblewrap.ts'
import { type ChildOutput, openChildOutput } from './output.ts'
import { openRedactor, type Redactor } from './redaction.ts'
import { type Forest, machineProcesses, openForest, type ProcessorWork, type ProcessTree } from './tree.ts'

/** How long a tree may take to end after TERM before it is killed. */
const defaultGraceMs = 2_000

interface Machine {
  forest: Forest
  bubblewrap: () => Bubblewrap
  redactor: Pick<Redactor, 'stream'>
}

/** The processes of this machine. Without a redactor, only what looks like a secret is kept out of spools. */
export function openShell(options: Partial<{ graceMs: number; redactor: Machine['redactor'] }> = {}): Shell {
  const { graceMs = defaultGraceMs, redactor = openRedactor({}) } = options
  const forest = openForest(machineProcesses(), graceMs)
  const bubblewrap = once(() => findBubblewrap(process.env.PATH))
  return {
    run: (command) => run(command, { forest, bubblewrap, redactor }),
    async unconfinable() {
      const found = bubblewrap()
      return 'problem' in found ? found.problem : null
    },
    sweep: (markPrefix) => forest.sweep(markPrefix),
  }
}

async function run(command: Command, machine: Machine): Promise<Exit> {
  const since = performance.now()
  const output = openChildOutput(command, machine.redactor)
  const ending = await runWith(output, command, machine).finally(() => output.finish())
  const told = output.told()
  const { problem, reason, ...exit } = ending
  const durationMs = Math.round(performance.now() - since)
  return { ...exit, reason: reasonOf(reason, told), durationMs, ...told, stderrTail: told.stderrTail + problem }
}

type Ending = Pick<Exit, 'code' | 'signal' | 'leftBehind'> & { reason: Exit['reason'] | 'not-begun'; problem: string }

/** Bubblewrap gave up: it found no program, or could not confine it. */
function reasonOf(reason: Ending['reason'], { stderrTail }: { stderrTail: string }): Exit['reason'] {
  if (reason !== 'not-begun') return reason
  if (stderrTail.startsWith('bwrap: execvp')) return 'not-found'
  throw notThisTime(stderrTail.trim())
}

const nothing = { code: null, signal: null, leftBehind: 0, problem: '' }

async function runWith(output: ChildOutput, command: Command, machine: Machine): Promise<Ending> {
  if (command.signal.aborted) return { ...nothing, reason: 'aborted' }
  const start = launchPlan(command, machine.bubblewrap)
  if ('problem' in start) return { ...nothing, reason: 'not-found', problem: start.problem }
  const child = launch(command, start.program, start.args)
  if (child.pid === undefined)
    return { ...nothing, reason: 'not-found', problem: await problemOf(child, start.program) }
  const tree = machine.forest.plant(child.pid, { mark: command.mark, isWrapped: command.confine !== null })
  const confining = command.confine === null ? null : confiningOf(child)
  const ending = await supervise(child, command, { output, tree, confining })
  if (ending.reason === 'exited' && (await confining)?.hasRun === false) return { ...ending, reason: 'not-begun' }
  return ending
}

async function supervise(
  child: ChildProcess,
  command: Command,
  { output, tree, confining }: { output: ChildOutput; tree: ProcessTree; confining: Promise<Confining> | null },
): Promise<Ending> {
  const ended = endOf(child)
  const limits = watchLimits(command, tree.work)
  output.attach(child, limits.sawOutput)
  child.stdin?.on('error', () => {}) // A child that does not read its input, or is gone already.
  let limit: Exit['reason'] | null | undefined
  let leftBehind = 0
  try {
    command.onStart?.(child.pid ?? 0)
    feed(child, command.input)
    limit = await Promise.race([ended.then(() => null), limits.reached, output.broken])
  } finally {
    limits.cancel()
    const first = limit === null ? ((await confining)?.first ?? null) : null
    leftBehind = first !== null && (await tree.endsWith(first)) ? 0 : await tree.end()
  }
  const { code, signal } = await ended
  if (limit != null) return { ...nothing, reason: limit, code, signal }
  return { reason: code === null ? 'signalled' : 'exited', code, signal, leftBehind, problem: '' }
}

/** The command's own end ('exit'), not that of its pipes: a child left behind may hold those for ever. */
function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
}

function feed({ stdin }: ChildProcess, input: Command['input']): void {
  if (stdin === null) return
  if (typeof input === 'string') stdin.end(input)
  else input({ write: (text) => void (stdin.writable && stdin.write(text)), end: () => void stdin.end() })
}

/** What is started: the program itself, or bubblewrap around it; or why there is nothing to start. */
type LaunchPlan = { program: string; args: string[] } | { problem: string }

function launchPlan(command: Command, bubblewrap: () => Bubblewrap): LaunchPlan {
  if (!statSync(command.cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new TerminalError(`there is no directory ${command.cwd}`, 'Check that nothing removed it, then try again.')
  const { cwd, env, confine } = command
  const { program, args } = argv(command.run)
  if (confine === null) return { program, args }
  const wrapper = bubblewrap()
  if ('problem' in wrapper) throw cannotConfine(wrapper.problem)
  const found = findProgram(program, { cwd, searchPath: env.PATH })
  if ('problem' in found) return { problem: `${program}: ${found.problem}` }
  return { program: wrapper.file, args: wrap({ cwd, env, confine, file: found.path, argv: [program, ...args] }) }
}

/** Starts it as the leader of its own session. Without a pid, `notFound` says why. */
function launch({ cwd, env, mark, confine }: Command, program: string, args: string[]): ChildProcess {
  try {
    return spawn(program, args, {
      cwd,
      env: { ...env, [markVariable]: mark },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', ...(confine === null ? [] : ['pipe' as const])],
    })
  } catch (error) {
    throw cannotSpawn(program, error as NodeJS.ErrnoException)
  }
}

function argv(run: Command['run']): { program: string; args: string[] } {
  return 'line' in run ? { program: '/bin/sh', args: ['-c', run.line] } : run
}

const unusable = new Map([
  ['ENOENT', 'no such program'],
  ['EACCES', 'not executable'],
  ['ENOTDIR', 'no such program'],
  ['ENOEXEC', 'not a program: its first line must name an interpreter'],
])

/** For a child without a pid: why its program is not usable; or the machine cannot spawn (TerminalError). */
async function problemOf(child: ChildProcess, program: string): Promise<string> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve))
  const problem = unusable.get(error.code ?? '')
  if (problem === undefined) throw cannotSpawn(program, error)
  return `${program}: ${problem}`
}

function cannotSpawn(program: string, error: NodeJS.ErrnoException): TerminalError {
  const remedy =
    error.code === 'E2BIG'
      ? 'Its arguments and environment are too large: shorten them.'
      : 'Check the limits of this machine on processes, open files and memory.'
  return new TerminalError(`cannot start ${program}: ${error.message}`, remedy)
}

type Limit = 'timeout' | 'idle' | 'aborted' | 'lingered'

/** How long a command that is done may take to exit by itself. */
const lingerMs = 2_000
const longestTimerMs = 2 ** 31 - 1
/** A program that waits for an answer still spins and collects garbage, up to 3 % of a core; one that works uses more. */
const workingShare = 0.08

type Watched = Pick<Command, 'timeoutMs' | 'idleTimeoutMs' | 'isWaiting' | 'done' | 'signal' | 'cwd'>

/** Resolves `reached` with the first limit the command runs into. */
function watchLimits(command: Watched, work: ProcessorWork) {
  let resolve: (limit: Limit) => void = () => {}
  const reached = new Promise<Limit>((first) => {
    resolve = first
  })
  const timers = new Set<NodeJS.Timeout>()
  const after = (ms: number, limit: Limit) => timers.add(setTimeout(resolve, Math.min(ms, longestTimerMs), limit))
  after(command.timeoutMs, 'timeout')
  const idle = watchSilence(command, work, () => resolve('idle'))
  command.done?.then(
    () => void after(lingerMs, 'lingered'),
    () => {},
  )
  const onAbort = () => resolve('aborted')
  command.signal.addEventListener('abort', onAbort, { once: true })
  if (command.signal.aborted) onAbort()
  return {
    reached,
    sawOutput: idle.sawOutput,
    cancel: () => {
      for (const timer of timers) clearTimeout(timer)
      idle.cancel()
      command.signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Silence alone is not death: before that is said, it is looked whether somebody works. */
function watchSilence({ idleTimeoutMs, isWaiting, cwd }: Watched, work: ProcessorWork, onDead: () => void) {
  if (idleTimeoutMs === null) return { sawOutput: () => {}, cancel: () => {} }
  const silenceMs = Math.min(idleTimeoutMs, longestTimerMs)
  let alive = { at: Date.now(), workedMs: 0 }
  let cancelled = false

  const sawLife = (workedMs: number): void => {
    if (cancelled) return
    alive = { at: Date.now(), workedMs }
    timer.refresh()
  }
  async function look(): Promise<void> {
    const before = alive
    const workedMs = work.lookMs()
    if (isWaiting?.() === true || workedMs - before.workedMs > (Date.now() - before.at) * workingShare)
      return sawLife(workedMs)
    const isChanged = await changedSince(cwd, before.at)
    if (isChanged) sawLife(workedMs)
    else if (alive === before && !cancelled) onDead()
  }
  // When even a look fails, nothing is known; the hard limit still holds.
  const timer = setTimeout(() => void look().catch(() => sawLife(work.seenMs())), silenceMs)
  return {
    sawOutput: () => sawLife(work.seenMs()),
    cancel: () => {
      cancelled = true
      clearTimeout(timer)
    },
  }
}

const notOurs = new Set(['.git', 'node_modules'])
const mostEntries = 50_000

/** Whether anything under the folder was made, changed or removed since. Links are not followed; large trees are not searched to their end. */
async function changedSince(folder: string, sinceMs: number): Promise<boolean> {
  const folders = [folder]
  let seen = 0
  for (let current = folders.shift(); current !== undefined && seen < mostEntries; current = folders.shift()) {
    if (await isChanged(current, sinceMs)) return true
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      if (++seen > mostEntries || notOurs.has(entry.name)) continue
      const path = join(current, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (await isChanged(path, sinceMs)) return true
    }
  }
  return false
}

/** By the time of the last change that nobody can set back. */
async function isChanged(path: string, sinceMs: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => null)
  return stat !== null && stat.ctimeMs > sinceMs
}
