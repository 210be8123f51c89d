import type { ChildProcess } from 'node:child_process'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import { once } from '../../std/once.ts'
import { type Bubblewrap, type Confining, confiningOf, findBubblewrap, notThisTime } from './bubblewrap/bubblewrap.ts'
import { launch, launchPlan, problemOf } from './launch.ts'
import { watchLimits } from './limits.ts'
import { type ChildOutput, openChildOutput } from './output.ts'
import { machineProcesses } from './processes.ts'
import { openRedactor, type Redactor } from './redaction.ts'
import { type Forest, openForest, type ProcessTree } from './tree.ts'

/** How long a tree may take to end after TERM before it is killed. */
export const defaultGraceMs = 2_000

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
