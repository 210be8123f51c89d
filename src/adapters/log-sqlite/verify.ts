import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { ChainReport, Recorded } from '../../ports/event-log.ts'
import { digestOf, genesis, type Link, linkProblem, parseRecord, writtenRecord } from '../../ports/log/chain.ts'
import type { Connection } from './connection.ts'
import { DamagedError } from './errors.ts'
import { wholeEvent } from './large.ts'

/** One row at a time, so that a damaged page breaks the chain at its first event and not before. */
export async function verify(connection: Connection, blobs: Blobs, delivery: string): Promise<ChainReport> {
  const head = tolerant(() => headOf(connection, delivery))
  if (head instanceof DamagedError) return { status: 'broken', version: 1, position: 0, problem: head.message }
  let before: Link = { delivery, version: 0, hash: genesis }
  while (before.version < head.version) {
    const row = rowAt(connection, delivery, before.version + 1)
    const entry = typeof row === 'string' ? row : await checked(row, before, blobs)
    if (typeof entry === 'string') return broken(before, typeof row === 'string' ? 0 : row.position, entry)
    before = entry
  }
  if (before.hash !== head.hash) return broken(before, 0, 'the chain does not end at its recorded head')
  return { status: 'intact', events: head.version, head: head.hash }
}

/** Where the chain ends, according to the delivery's own row. */
export function headOf(connection: Connection, delivery: string): Link {
  const row = connection.get<[number, string]>('SELECT version, head FROM deliveries WHERE delivery = ?', delivery)
  return row === undefined ? { delivery, version: 0, hash: genesis } : { delivery, version: row[0], hash: row[1] }
}

export interface StoredRow {
  position: number
  hash: string
  record: string
}

/** The event, or what is wrong with its row as the one after `before`. */
export async function checked(row: StoredRow, before: Link, blobs: Blobs): Promise<Recorded | string> {
  const text = await wholeEvent(row.record, blobs)
  if (text === null) return 'it cannot be read, here or in the blob store'
  if (digestOf(text) !== row.hash) return 'its hash is wrong'
  const entry = parsed({ position: row.position, hash: row.hash, text })
  return entry === null ? 'it cannot be parsed' : (linkProblem(before, entry) ?? entry)
}

export function parsed(
  { position, hash, text }: { position: number; hash: string; text: string },
  asWritten?: true,
): Recorded | null {
  try {
    const entry = parseRecord(position, hash, text)
    return asWritten === true ? writtenRecord(position, hash, text) : entry
  } catch (error) {
    if (error instanceof TerminalError) throw error
    return null
  }
}

/** The result, or the damage that was met on the way. */
export function tolerant<T>(work: () => T): T | DamagedError {
  try {
    return work()
  } catch (error) {
    if (error instanceof DamagedError) return error
    throw error
  }
}

function rowAt(connection: Connection, delivery: string, version: number): StoredRow | string {
  const sql = 'SELECT position, hash, record FROM events WHERE delivery = ? AND version = ?'
  const row = tolerant(() => connection.get<[number, string, string]>(sql, delivery, version))
  if (row instanceof DamagedError) return row.message
  return row === undefined ? 'it is missing' : { position: row[0], hash: row[1], record: row[2] }
}

function broken(before: Link, position: number, problem: string): ChainReport {
  return { status: 'broken', version: before.version + 1, position, problem }
}
