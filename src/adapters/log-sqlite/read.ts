import type { Blobs } from '../../ports/blobs.ts'
import type { DeliveryRow, Recorded } from '../../ports/event-log.ts'
import { digestOf, genesis, type Link, linkProblem } from '../../ports/log/chain.ts'
import type { Connection } from './connection.ts'
import { DamagedError, damaged } from './errors.ts'
import { isPlain, wholeEvent } from './large.ts'
import { headOf, parsed, tolerant, verify } from './verify.ts'

/** Every event is hashed on the way: none is passed on damaged, none is left out in silence. */
export async function read(connection: Connection, blobs: Blobs, from: From): Promise<Recorded[]> {
  const events = await readIntact(connection, blobs, from)
  if (events !== null) return events
  const report = await verify(connection, blobs, from.delivery)
  if (report.status === 'intact') throw damaged(connection.file, `delivery ${from.delivery} cannot be read`)
  const { version, position, problem } = report
  throw damaged(connection.file, `delivery ${from.delivery}, version ${version} (position ${position}): ${problem}`)
}

/** The same; null where it is damaged. */
export async function readIntact(connection: Connection, blobs: Blobs, from: From): Promise<Recorded[] | null> {
  const found = tolerant(() => connection.snapshot(() => find(connection, from)))
  return found instanceof DamagedError ? null : await chained(found, from, blobs)
}

export function deliveries(connection: Connection, repository: string | null): DeliveryRow[] {
  const sql = `SELECT delivery, repository, version, requestedAt, updatedAt, result, title FROM deliveries
    WHERE ?1 IS NULL OR repository = ?1 ORDER BY requestedAt, delivery`
  type Row = [string, string, number, number, number, string | null, string]
  const rows = connection.all<Row>(sql, repository)
  if (rows.length === 0) requireNoEvents(connection)
  return rows.map((row) => {
    if (!row.every((value, index) => kinds[index]!.includes(value === null ? 'null' : typeof value)))
      throw damaged(connection.file, `its list of deliveries says what can be none: ${JSON.stringify(row)}`)
    const [delivery, id, version, requestedAt, updatedAt, result, title] = row
    return { delivery, repository: id, version, requestedAt, updatedAt, result, title }
  })
}

const kinds = ['string', 'string', 'number', 'number', 'number', 'string null', 'string']

/** A list that is empty though something has happened is not to be taken for a log of nothing. */
function requireNoEvents(connection: Connection): void {
  const sql = 'SELECT delivery FROM events WHERE delivery NOT IN (SELECT delivery FROM deliveries) LIMIT 1'
  const [lost] = connection.get<[unknown]>(sql) ?? []
  if (lost !== undefined) throw damaged(connection.file, `its list of deliveries lacks ${lost}, of which it has events`)
}

type From = {
  delivery: string
  after: number
  /** Not lifted into today's shape. */
  asWritten?: true
}

interface Found {
  head: Link
  /** Undefined when there is no event at `after`. */
  start: Link | undefined
  rows: [position: number, hash: string, record: string][]
}

function find(connection: Connection, { delivery, after }: From): Found {
  const rowsSql = 'SELECT position, hash, record FROM events WHERE delivery = ? AND version > ? ORDER BY version'
  const hashSql = 'SELECT hash FROM events WHERE delivery = ? AND version = ?'
  const [hash] = after === 0 ? [genesis] : (connection.get<[string]>(hashSql, delivery, after) ?? [])
  const start = hash === undefined ? undefined : { delivery, version: after, hash }
  return { head: headOf(connection, delivery), start, rows: connection.all(rowsSql, delivery, after) }
}

/** The events, if they lead from the start to the head without a gap. */
async function chained({ head, start, rows }: Found, from: From, blobs: Blobs): Promise<Recorded[] | null> {
  if (start === undefined) return from.after > head.version && rows.length === 0 ? [] : null
  const events: Recorded[] = []
  let before = start
  for (const [position, hash, record] of rows) {
    const text = isPlain(record) ? record : await wholeEvent(record, blobs)
    const entry = text === null || digestOf(text) !== hash ? null : parsed({ position, hash, text }, from.asWritten)
    if (entry === null || linkProblem(before, entry) !== null) return null
    events.push(entry)
    before = entry
  }
  return before.version === head.version && before.hash === head.hash ? events : null
}
