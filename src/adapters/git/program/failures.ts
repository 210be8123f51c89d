import { statSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { diskFull, TerminalError, TransientError } from '../../../ports/errors.ts'
import { durationText } from '../../../std/duration.ts'
import { isDiskFull } from '../../../std/files.ts'
import { tell } from '../../../std/running.ts'

// What git and the machine say, translated once into what the engine understands.

const locked =
  /\.lock': File exists|Unable to create '.*\.lock'|could not lock|is locked|index file open failed: Resource/i

const terminal: [RegExp, string][] = [
  [/dubious ownership/i, 'Run the "git config --global --add safe.directory …" that git proposes, then resume.'],
  [
    /not a git repository|does not appear to be a git repository/i,
    'Run this inside a git repository, or "git init" one.',
  ],
  [
    /Permission denied|Read-only file system|Operation not permitted/i,
    'Make the path writable for this user, then resume.',
  ],
]

const damaged =
  /bad object|missing|unable to read|not a valid object|invalid object|corrupt|could not parse|unable to unpack|bad tree/i

/** Git says in many ways that it cannot write, or finds no more what it could not write; these write nothing. */
const readers = /^(cat-file|diff-tree|for-each-ref|log|ls-files|ls-tree|merge-base|rev-list|rev-parse|show)$/

/** `cramped`: it was about a disk that has next to nothing left. What has another cause is no full disk there either. */
export function failedCall(args: string[], output: { code: number; stderr: string }, cramped = false): Error {
  const said = output.stderr.trim().slice(0, 2_000)
  const message = `git ${verbOf(args)} failed (${output.code}): ${said}`
  // Disk full also shows as a lock that cannot be created, so it is asked first.
  if (isDiskFull(new Error(said))) return diskFull(message)
  const gone = /not a git repository: '(.+?)(?:\/\.git)?'/.exec(said)?.[1]
  if (gone !== undefined)
    return new TerminalError(`git finds no repository at ${gone}: ${said}`, 'Put it back or mend it, then resume.')
  const lock = /'([^']+\.lock)': File exists/.exec(said)?.[1]
  if (lock !== undefined) return heldLock(lock)
  if (/\.lock/.test(said) && /File exists/.test(said)) return new TransientError(message)
  if (!cramped && locked.test(said) && !/Permission denied|Read-only/i.test(said)) return new TransientError(message)
  const known = terminal.find(([pattern]) => pattern.test(said))
  if (known !== undefined) return new TerminalError(message, known[1])
  const isDamaged = damaged.test(said)
  if (cramped && (isDamaged || !readers.test(verbOf(args)))) return diskFull(message)
  const fsck = 'The repository lacks objects or is damaged: "git fsck" in it says which.'
  return new TerminalError(message, isDamaged ? fsck : 'Look at what git says, put it right, then resume.')
}

/** Git holds a lock for moments, and as long as an editor is open; after this time a human knows better. */
const longestHeldMs = 600_000

/** A lock of a git that is not ours: waited for, and told with whose it is and what can be done. */
export function heldLock(lock: string): Error {
  const found = statSync(lock, { throwIfNoEntry: false })
  if (found === undefined) return new TransientError(`${lock} was held by another git a moment ago`)
  const ageMs = Math.max(1_000, Date.now() - found.mtimeMs)
  const { uid, username } = userInfo()
  const owner = found.uid === uid ? username : `the user with the id ${found.uid}`
  const message = `${lock} is in the way: a git of ${owner} made it ${durationText(ageMs)} ago and holds it, or was killed`
  const remedy = `Let that git come to its end; if none is at work there, remove the file: rm '${lock}'`
  return ageMs > longestHeldMs ? new TerminalError(message, remedy) : new TransientError(`${message}. ${remedy}`)
}

/** A git that died by a signal, more often than it was asked again: nobody knows how far it came. */
export class DiedError extends TransientError {}

export function timeoutFailure(args: string[]): Error {
  return new TransientError(`git ${verbOf(args)} did not end in time and was killed`)
}

export function spawnFailure(error: NodeJS.ErrnoException, cwd: string | undefined): Error {
  if (error.code === 'ENOENT')
    return new TerminalError(
      `git cannot be started${cwd === undefined ? '' : ` in ${cwd}`}: ${error.message}`,
      'Install git 2.38 or later, and see that the folder exists.',
    )
  return new TransientError(`git cannot be started: ${error.message}`)
}

/** The first argument that is neither an option nor an option's value. */
export function verbOf(args: string[]): string {
  for (let i = 0; i < args.length; i++) {
    if (['-c', '-C', '--git-dir', '--work-tree'].includes(args[i]!)) i++
    else if (!args[i]!.startsWith('-')) return args[i]!
  }
  return ''
}

/** How a child has ended, before anybody has judged it. */
export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: Buffer
  stderr: string
  /** We have ended it ourselves: it had printed enough, or its time was over. */
  cut: boolean
  late: boolean
}

const waitsMs = [50, 250, 1_000]
/** The clock of files is a little behind. */
const slackMs = 50

/**
 * A child that died by a signal has said nothing: it is asked again, a few times. What it left locked is given back,
 * where the lock was made while it lived; nobody else would do it.
 */
export async function again<End extends Ended>(args: string[], attempt: () => Promise<End>): Promise<End> {
  const deaths: { from: number; to: number }[] = []
  for (;;) {
    const from = Date.now()
    const ended = await attempt()
    if (died(ended)) {
      const waitMs = waitsMs[deaths.length]
      if (waitMs === undefined) return ended
      deaths.push({ from, to: Date.now() })
      tell(`${diedText(args, ended)}, and was asked again`)
      await wait(waitMs)
    } else if (ended.code === 0 || !(await unlocked(ended.stderr, deaths))) return ended
  }
}

async function unlocked(said: string, deaths: { from: number; to: number }[]): Promise<boolean> {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(said)?.[1]
  const made = lock === undefined ? undefined : (await stat(lock).catch(() => null))?.mtimeMs
  if (lock === undefined || made === undefined) return false
  if (!deaths.some(({ from, to }) => made >= from - slackMs && made <= to + slackMs)) return false
  await rm(lock, { force: true })
  return true
}

/** How a shell says that its child was aborted, killed, or asked to end, or touched memory that it has not. */
const codesOfShells = [134, 135, 137, 139, 143]

/** How git says it of a child of its own; what it fetches from ends without a word then. */
const byAnother = /died of signal \d+|the remote end hung up unexpectedly|early EOF/

/** By a signal that was not ours. */
export function died({ code, signal, stderr, cut, late }: Ended): boolean {
  if (cut || late) return false
  if (code === null) return signal !== null
  return codesOfShells.includes(code) || (code !== 0 && byAnother.test(stderr))
}

export function diedText(args: string[], { signal, stderr }: Ended): string {
  const by = signal ?? /died of signal \d+/.exec(stderr)?.[0].replace('died of ', '') ?? 'a signal'
  return `git ${verbOf(args)} was ended by ${by}`
}
