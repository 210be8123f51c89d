import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { TerminalError, TransientError } from '../../ports/errors.ts'
import { once } from '../../std/once.ts'
import { bornAt, isGone } from '../../std/process.ts'

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
  /** Nobody else claims or releases meanwhile. */
  alone<T>(work: () => T): T
}

type Row = { kind: string; name: string; pid: number; born: string | null; detail: string }

const table = `CREATE TABLE IF NOT EXISTS claims(kind TEXT, name TEXT, pid INTEGER, born TEXT, detail TEXT,
  PRIMARY KEY(kind, name)) WITHOUT ROWID`

/** In a database of their own: a kill at any moment leaves them whole, and the dead are told from the living. */
export function openClaims(home: string): Claims {
  const database = once(() => open(home))
  const own = { pid: process.pid, born: bornAt(process.pid) }
  const rows = (where: string, ...values: string[]): Row[] =>
    translated(
      home,
      () =>
        database()
          .prepare(`SELECT kind, name, pid, born, detail FROM claims WHERE ${where}`)
          .all(...values) as unknown as Row[],
    )
  const alone = <T>(work: () => T): T => translated(home, () => immediate(database(), work))
  const isMine = ({ pid, born }: Row): boolean => pid === own.pid && born === own.born
  const find = (kind: string, name: string): Row[] => rows('kind = ? AND name = ?', kind, name)
  const insert = (kind: string, name: string, detail: string): void => {
    database()
      .prepare('INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)')
      .run(kind, name, own.pid, own.born, detail)
  }
  return {
    alone,
    claim: (kind, name, detail) =>
      alone(() => {
        if (find(kind, name).some(isHeld)) return false
        insert(kind, name, detail)
        return true
      }),
    take: (kind, name, detail) => alone(() => insert(kind, name, detail)),
    release: (kind, name) =>
      alone(() => {
        if (find(kind, name).some((row) => isHeld(row) && !isMine(row))) return
        database().prepare('DELETE FROM claims WHERE kind = ? AND name = ?').run(kind, name)
      }),
    of: (kind) => rows('kind = ?', kind).map((row) => ({ ...row, alive: isHeld(row), mine: isMine(row) })),
  }
}

const isHeld = ({ pid, born }: Row): boolean => !isGone(pid, born)

function open(home: string): DatabaseSyncInstance {
  const { DatabaseSync } = createRequire(import.meta.url)(
    '@photostructure/sqlite',
  ) as typeof import('@photostructure/sqlite')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(join(home, 'holdings.sqlite'), { timeout: 5_000, defensive: false })
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${table}`)
  return database
}

/** Nothing in it outlives the processes that it tells of, so a damaged one may go. */
function translated<T>(home: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { message } = error as Error
    if (/busy|locked/i.test(message)) throw new TransientError(`holdings.sqlite: ${message}`)
    if (!/disk image|not a database|readonly|unable to open|full/i.test(message)) throw error
    const file = join(home, 'holdings.sqlite')
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
