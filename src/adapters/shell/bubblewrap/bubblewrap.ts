import { type ChildProcess, type SpawnSyncReturns, spawnSync } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { TerminalError, TransientError } from '../../../ports/errors.ts'
import { findProgram } from './find-program.ts'
import { statusDescriptor, wrap } from './wrap.ts'

/** Its file, or why it does not work here. */
export type Bubblewrap = { file: string } | { problem: string }

const probeTimeoutMs = 10_000

/** By doing: it runs a program with all that a confinement takes away. */
export function findBubblewrap(searchPath: string | undefined): Bubblewrap {
  if (process.platform !== 'linux') return { problem: 'bubblewrap exists for Linux only' }
  const found = findProgram('bwrap', { cwd: '/', searchPath })
  if ('problem' in found) return { problem: 'bubblewrap is not installed' }
  const confine = { write: [], hide: [], show: [], guard: [], bare: [], kept: [], network: false }
  const args = wrap({ cwd: '/', env: {}, confine, file: '/bin/sh', argv: ['/bin/sh', '-c', ':'] })
  const stdio = ['ignore', 'ignore', 'pipe', 'pipe'] as const
  const probe = spawnSync(found.path, args, { encoding: 'utf8', env: {}, stdio: [...stdio], timeout: probeTimeoutMs })
  if (probe.status === 0) return { file: found.path }
  return { problem: `bubblewrap cannot make namespaces on this machine (${wordsOf(probe)})` }
}

function wordsOf({ error, stderr, status }: SpawnSyncReturns<string>): string {
  return error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`)
}

/** What the kernel says when there are too many of them at this moment; of namespaces it says that a device is full. */
const soonOver = [/No space left on device/i, /temporarily unavailable|Cannot allocate memory|Too many open files/i]

/** For one command, where others were confined before it: nobody runs it free instead. */
export function notThisTime(problem: string): TransientError | TerminalError {
  const which = soonOver.findIndex((pattern) => pattern.test(problem))
  if (which === -1) return cannotConfine(problem)
  const why = which === 0 ? 'the machine allows no further namespaces (/proc/sys/user tells how many)' : problem
  return new TransientError(`cannot confine a command at this moment: ${why}`)
}

export function cannotConfine(problem: string): TerminalError {
  return new TerminalError(
    `cannot confine a command: ${problem}`,
    'Install bubblewrap and allow it to make namespaces, or set `sandbox: none`.',
  )
}

/** What bubblewrap told by the time when nobody holds the descriptor any more. */
export interface Confining {
  /** The command inside began and ended. */
  hasRun: boolean
  /** The first process inside: when it has ended, so has every other one there. */
  first: number | null
}

export async function confiningOf(child: ChildProcess): Promise<Confining> {
  const status = await text(child.stdio[statusDescriptor] as Readable).catch(() => '')
  const first = /"child-pid": (\d+)/.exec(status)?.[1]
  return { hasRun: status.includes('"exit-code"'), first: first === undefined ? null : Number(first) }
}
