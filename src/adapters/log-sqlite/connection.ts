import { createRequire } from 'node:module'
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite'
import { translated } from './errors.ts'

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
    try {
      return work()
    } catch (error) {
      throw translated(error, this.file)
    }
  }
}
