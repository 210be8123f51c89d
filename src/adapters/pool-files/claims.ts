import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { diskFull, TerminalError, TransientError } from '../../ports/errors.ts'
import { isDiskFull } from '../../std/files.ts'
import { once } from '../../std/once.ts'
import { bornAt, isGone } from '../../std/running.ts'

/** What a process of this machine has for itself: as long as it lives, nobody else gets it. */
export interface Claim {
  kind: string
  name: string
  alive: boolean
  /** This process has it. */
  mine: boolean
  detail: string
}

export interface Claims {
  /** False: somebody who is alive has it. The claim of one who is gone is replaced. */
  claim(kind: string, name: string, detail: string): boolean
  /** Has it whoever had it before: what the former one did is over. */
  take(kind: string, name: string, detail: string): void
  /** Unless somebody else who is alive has it by now. */
  release(kind: string, name: string): void
  of(kind: string): Claim[]
  /** Nobody has claimed anything in this home so far. */
  isEmpty(): boolean
  /** Nobody else claims or releases meanwhile. */
  alone<T>(work: () => T): T
}

type Row = { kind: string; name: string; pid: number; born: string | null; detail: string }

const table = `CREATE TABLE IF NOT EXISTS claims(kind TEXT, name TEXT, pid INTEGER, born TEXT, detail TEXT,
  PRIMARY KEY(kind, name)) WITHOUT ROWID`

/** In a database of their own: a kill at any moment leaves them whole, and the dead are told from the living. */
export function openClaims(home: string): Claims {
  const file = join(home, 'holdings.sqlite')
  let isThere = false
  // It is made for the first claim: who only asks learns from its absence that there is none.
  const isEmpty = (): boolean => {
    isThere ||= existsSync(file)
    return !isThere
  }
  const database = once(() => open(file))
  const own = { pid: process.pid, born: birthOf(process.pid) }
  const rows = (where: string, ...values: string[]): Row[] =>
    isEmpty()
      ? []
      : translated(
          file,
          () =>
            database()
              .prepare(`SELECT kind, name, pid, born, detail FROM claims WHERE ${where}`)
              .all(...values) as unknown as Row[],
        )
  const alone = <T>(work: () => T): T => translated(file, () => immediate(database(), work))
  const isMine = ({ pid, born }: Row): boolean => pid === own.pid && born === own.born
  const find = (kind: string, name: string): Row[] => rows('kind = ? AND name = ?', kind, name)
  const insert = (kind: string, name: string, detail: string): void => {
    database()
      .prepare('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)')
      .run(kind, name, own.pid, own.born, detail)
  }
  return {
    isEmpty,
    alone,
    claim: (kind, name, detail) =>
      alone(() => {
        if (find(kind, name).some(isHeld)) return false
        insert(kind, name, detail)
        return true
      }),
    take: (kind, name, detail) => alone(() => insert(kind, name, detail)),
    release(kind, name) {
      if (isEmpty()) return
      alone(() => {
        if (find(kind, name).some((row) => isHeld(row) && !isMine(row))) return
        database().prepare('DELETE FROM claims WHERE kind = ? AND name = ?').run(kind, name)
      })
    },
    of: (kind) => rows('kind = ?', kind).map((row) => ({ ...row, alive: isHeld(row), mine: isMine(row) })),
  }
}

const isHeld = ({ pid, born }: Row): boolean => (hasProc ? !isGone(pid, born) : isAlive({ pid, born }))

const hasProc = existsSync('/proc/self/stat')

/** With its pid this tells a process from any other; where the kernel does not show it, `ps` does. */
const birthOf = (pid: number): string | null => (hasProc ? bornAt(pid) : processStart(pid))

/** Whether the process that has the pid was started when this one was. */
export const isAlive = ({ pid, born }: { pid: number; born: string | null }): boolean =>
  born === null ? !isGone(pid, null) : processStart(pid) === born

export function processStart(pid: number): string | null {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' }
  try {
    return (
      execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { env, encoding: 'utf8', timeout: 5_000 }).trim() || null
    )
  } catch {
    return null
  }
}

function open(file: string): DatabaseSyncInstance {
  const { DatabaseSync } = createRequire(import.meta.url)(
    '@photostructure/sqlite',
  ) as typeof import('@photostructure/sqlite')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // It tells what is up and how it is brought down: that is for us alone, as are the files beside it, which follow it.
  closeSync(openSync(file, 'a', 0o600))
  chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: 5_000, defensive: false })
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${table}`)
  return database
}

/** Nothing in it outlives the processes that it tells of, so a damaged one may go. */
function translated<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (isDiskFull(error)) throw diskFull(error)
    const { message } = error as Error
    if (/busy|locked/i.test(message)) throw new TransientError(`holdings.sqlite: ${message}`)
    // So SQLite says where the file beside it, which is mapped into memory, cannot grow.
    if (/disk I\/O/i.test(message))
      throw new TerminalError(`${file}: ${message}`, 'See that the disk has space, then resume.')
    if (!/disk image|not a database|readonly|unable to open/i.test(message)) throw error
    throw new TerminalError(`${file}: ${message}`, `Remove ${file} once no delivery is driven, then resume.`)
  }
}

/** Within another one it is a part of that. */
function immediate<T>(database: DatabaseSyncInstance, work: () => T): T {
  if (database.isTransaction) return work()
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK')
  }
}
