import type { ChildProcess } from 'node:child_process'
import type { Command, Exit, Shell } from '../../ports/shell.ts'
import { launch, notFound } from './launch.ts'
import { type Limit, watchLimits } from './limits.ts'
import { type Output, openOutput } from './output.ts'
import { machineProcesses } from './processes.ts'
import { type Forest, openForest } from './tree.ts'

/** How long a tree may take to end after TERM before it is killed. */
export const defaultGraceMs = 2_000

/** The processes of this machine. */
export function openShell(options: { graceMs: number } = { graceMs: defaultGraceMs }): Shell {
  const forest = openForest(machineProcesses(), options.graceMs)
  return {
    run: (command) => run(command, forest),
    unconfinable: async () => 'not yet',
    sweep: (markPrefix) => forest.sweep(markPrefix),
  }
}

async function run(command: Command, forest: Forest): Promise<Exit> {
  const since = performance.now()
  const output = openOutput(command)
  const ended = await runWith(output, command, forest).finally(() => output.finish())
  const ending = ended ?? { reason: 'aborted', code: null, signal: null, leftBehind: 0, problem: '' }
  const { problem, ...exit } = ending
  const durationMs = Math.round(performance.now() - since)
  return { ...exit, durationMs, ...output.told(), stderrTail: output.told().stderrTail + problem }
}

type Ending = Pick<Exit, 'reason' | 'code' | 'signal' | 'leftBehind'> & { problem: string }

/** Null when it was aborted before it began. */
async function runWith(output: Output, command: Command, forest: Forest): Promise<Ending | null> {
  if (command.signal.aborted) return null
  const child = launch(command)
  const pid = child.pid
  if (pid === undefined) return { ...(await notFound(child, command)), leftBehind: 0 }
  const ended = endOf(child)
  const tree = forest.plant(pid, command.mark)
  const limits = watchLimits(command, tree.work)
  output.attach(child, limits.sawOutput)
  let limit: Limit | null = null
  let leftBehind = 0
  try {
    command.onStart?.(pid)
    feed(child, command.input)
    limit = await Promise.race([ended.then(() => null), limits.reached, output.broken])
  } finally {
    limits.cancel()
    leftBehind = await tree.end()
  }
  const { code, signal } = await ended
  if (limit !== null) return { reason: limit, code, signal, leftBehind: 0, problem: '' }
  return { reason: code === null ? 'signalled' : 'exited', code, signal, leftBehind, problem: '' }
}

/** The command's own end ('exit'), not that of its pipes: a child left behind may hold those for ever. */
function endOf(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
}

/** A child that does not read its input, or is gone already, is no error. */
function feed({ stdin }: ChildProcess, input: Command['input']): void {
  if (stdin === null) return
  stdin.on('error', () => {})
  if (typeof input === 'string') stdin.end(input)
  else input({ write: (text) => void (stdin.writable && stdin.write(text)), end: () => void stdin.end() })
}
