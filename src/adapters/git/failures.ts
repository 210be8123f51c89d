import { TerminalError, TransientError } from '../../ports/errors.ts'

// What git and the machine say, translated once into what the engine understands.

const locked =
  /\.lock': File exists|Unable to create '.*\.lock'|could not lock|is locked|index file open failed: Resource/i

const terminal: [RegExp, string][] = [
  [
    /No space left on device|Disk quota exceeded/i,
    'Free some space, for example with "ropewalk gc --yes", then resume.',
  ],
  [/dubious ownership/i, 'Run the "git config --global --add safe.directory …" that git proposes, then resume.'],
  [
    /not a git repository|does not appear to be a git repository/i,
    'Run this inside a git repository, or "git init" one.',
  ],
  [
    /Permission denied|Read-only file system|Operation not permitted/i,
    'Make the path writable for this user, then resume.',
  ],
  [
    /bad object|missing|unable to read|not a valid object|invalid object|corrupt|could not parse|unable to unpack|bad tree/i,
    'The repository lacks objects or is damaged: "git fsck" in it says which.',
  ],
]

export function failure(args: string[], output: { code: number; stderr: string }): Error {
  const said = output.stderr.trim().slice(0, 2_000)
  const message = `git ${verbOf(args)} failed (${output.code}): ${said}`
  // Disk full also shows as a lock that cannot be created, so it is asked first.
  const full = terminal[0]!
  if (full[0].test(said)) return new TerminalError(message, full[1])
  if (/\.lock/.test(said) && /File exists/.test(said)) return new TransientError(message)
  if (locked.test(said) && !/Permission denied|Read-only/i.test(said)) return new TransientError(message)
  const known = terminal.find(([pattern]) => pattern.test(said))
  return new TerminalError(message, known?.[1] ?? 'Look at what git says, put it right, then resume.')
}

export const isDiskFull = (error: unknown): boolean => error instanceof Error && terminal[0]![0].test(error.message)

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
function verbOf(args: string[]): string {
  for (let i = 0; i < args.length; i++) {
    if (['-c', '-C', '--git-dir', '--work-tree'].includes(args[i]!)) i++
    else if (!args[i]!.startsWith('-')) return args[i]!
  }
  return ''
}
