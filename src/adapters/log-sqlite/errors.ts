import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { TerminalError, TransientError } from '../../ports/errors.ts'

/** Says what SQLite or the file system means, in the words of the port. What it does not know is our bug. */
export function translated(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof TerminalError) return error
  const kind = kindOf(error)
  const known = kind === 'CANTOPEN' ? (mayNot(file, constants.R_OK) ? 'UNREADABLE' : readOnlyOr(kind, file)) : kind
  return describe(known, file, error.message) ?? error
}

function kindOf({ sqliteCode = -1, message, code = '' }: Error & { sqliteCode?: number; code?: string }): string {
  if (/^no such (table|column)/.test(message)) return 'CORRUPT'
  const found = failures.find(([, number, text]) => number === sqliteCode % 256 || message === text)
  return found?.[0] ?? code
}

const readOnlyOr = (kind: string, file: string): string => (mayNot(dirname(file), constants.W_OK) ? 'READONLY' : kind)

/** Not so when it is not there at all. */
export function mayNot(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

// Some calls of the binding throw with SQLite's number, some with its text alone.
const failures: [kind: string, number: number, text: string][] = [
  ['BUSY', 5, 'database is locked'],
  ['BUSY', 6, 'database table is locked'],
  ['READONLY', 8, 'attempt to write a readonly database'],
  ['IOERR', 10, 'disk I/O error'],
  ['CORRUPT', 11, 'database disk image is malformed'],
  ['FULL', 13, 'database or disk is full'],
  ['CANTOPEN', 14, 'unable to open database file'],
  ['CORRUPT', 26, 'file is not a database'],
]

function describe(kind: string, file: string, detail: string): Error | null {
  switch (kind) {
    case 'BUSY':
      return new TransientError(`the log ${file} is locked by another process`)
    case 'FULL':
    case 'ENOSPC':
    case 'EDQUOT':
      return new TerminalError(`disk full: nothing was written to ${file}`, 'free some space, then resume the delivery')
    case 'READONLY':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new TerminalError(
        `cannot write to ${file}: it or its folder is read-only; what is there can still be looked at`,
        'make it writable, or point ROPEWALK_HOME at a folder that is',
      )
    case 'CORRUPT':
      return damaged(file, detail)
    case 'UNREADABLE':
      return new TerminalError(
        `the log ${file} cannot be read: this user may not`,
        `give yourself the right to read and write it (chown or chmod), or point ROPEWALK_HOME at a home of yours`,
      )
    case 'IOERR':
    case 'CANTOPEN':
    case 'ENOTDIR':
    case 'EEXIST':
      return new TerminalError(`cannot use ${file}: ${detail}`, 'check the disk and ROPEWALK_HOME, then try again')
    default:
      return null
  }
}

/** The file, or one place in it, cannot be trusted. */
export function damaged(file: string, what: string): DamagedError {
  return new DamagedError(
    `the log ${file} is damaged: ${what}`,
    'run `ropewalk unlock --salvage`: it keeps every intact event and the damaged file',
  )
}

export class DamagedError extends TerminalError {}
