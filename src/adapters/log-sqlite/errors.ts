import { TerminalError, TransientError } from '../../ports/errors.ts'

/** Says what SQLite or the file system means, in the words of the port. What it does not know is our bug. */
export function translated(error: unknown, file: string): unknown {
  const { sqliteCode, systemErrno, code } = error as { sqliteCode?: number; systemErrno?: number; code?: string }
  const name = sqliteCode === undefined ? (code ?? '') : (names.get(sqliteCode & 0xff) ?? '')
  const kind = name === 'CANTOPEN' && systemErrno !== undefined && unwritable.has(systemErrno) ? 'READONLY' : name
  const detail = error instanceof Error ? error.message : String(error)
  return describe(kind, file, detail) ?? error
}

const names = new Map([
  [5, 'BUSY'],
  [6, 'BUSY'],
  [8, 'READONLY'],
  [10, 'IOERR'],
  [11, 'CORRUPT'],
  [13, 'FULL'],
  [14, 'CANTOPEN'],
  [26, 'CORRUPT'],
])
// EPERM, EACCES, EROFS
const unwritable = new Set([1, 13, 30])

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
        `cannot write to ${file}: it or its folder is read-only`,
        'make it writable, or point ROPEWALK_HOME at a folder that is',
      )
    case 'CORRUPT':
      return damaged(file, detail)
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
