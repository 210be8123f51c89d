import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { TerminalError, TransientError } from '../../ports/errors.ts'

// Required, not imported: a third faster, and every verb waits for it.
const { DatabaseSync } = createRequire(import.meta.url)(
  '@photostructure/sqlite',
) as typeof import('@photostructure/sqlite')

type Value = string | number | null
const busyTimeoutMs = 5000

/** One SQLite file: statements prepared on first use, and every failure in the words of the port. */
export class Connection {
  /** As it is told to people. */
  readonly file: string
  /** Only looked at: nothing is written any more. */
  readOnly = false
  readonly #closed: () => void
  readonly #db: DatabaseSyncInstance
  readonly #statements = new Map<string, StatementSyncInstance>()

  constructor(file: string, { shownAs = file, closed = () => {} } = {}) {
    this.file = shownAs
    this.#closed = closed
    this.#db = this.#guarded(() => new DatabaseSync(file, { timeout: busyTimeoutMs, defensive: false }))
    // The same few pages are written again and again: a longer write-ahead log copies them back less often.
    this.exec('PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 4000')
  }

  exec(sql: string): void {
    this.#guarded(() => this.#db.exec(sql))
  }

  /** Returns the row id of the inserted row. */
  run(sql: string, ...values: Value[]): number {
    this.#requireWritable()
    return this.#guarded(() => Number(this.#statement(sql).run(...values).lastInsertRowid))
  }

  get<Row extends unknown[]>(sql: string, ...values: Value[]): Row | undefined {
    return this.#guarded(() => this.#statement(sql).get(...values) as Row | undefined)
  }

  all<Row extends unknown[]>(sql: string, ...values: Value[]): Row[] {
    return this.#guarded(() => this.#statement(sql).all(...values) as Row[])
  }

  /** All of the work is on disk, or, when it throws or `keep` says no, none of it. */
  transaction<T>(work: () => T, keep: (result: T) => boolean = () => true): T {
    this.#requireWritable()
    this.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.exec(keep(result) ? 'COMMIT' : 'ROLLBACK')
      return result
    } finally {
      if (this.#db.isTransaction) this.exec('ROLLBACK')
    }
  }

  /** Reads that all see the log as it was at the first of them. */
  snapshot<T>(work: () => T): T {
    this.exec('BEGIN')
    try {
      return work()
    } finally {
      if (this.#db.isTransaction) this.exec('ROLLBACK')
    }
  }

  /** The binding lets go of the file when the statements are collected, at the latest when the process ends. */
  close(): void {
    this.#statements.clear()
    if (this.#db.isOpen) this.#guarded(() => this.#db.close())
    this.#closed()
  }

  #requireWritable(): void {
    if (this.readOnly) throw translated(Object.assign(new Error('read-only'), { code: 'EROFS' }), this.file)
  }

  /** Rows come as arrays: half the price of objects. */
  #statement(sql: string): StatementSyncInstance {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const fresh = this.#db.prepare(sql, { returnArrays: true })
    this.#statements.set(sql, fresh)
    return fresh
  }

  #guarded<T>(work: () => T): T {
    return inOurWords(this.file, work)
  }
}

/** Whatever it throws is told in the words of the port. */
export function inOurWords<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translated(error, file)
  }
}

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
