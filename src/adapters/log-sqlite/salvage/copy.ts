import { statSync } from 'node:fs'
import type { Blobs } from '../../../ports/blobs.ts'
import type { Recorded } from '../../../ports/event-log.ts'
import { genesis, type Link } from '../../../ports/log/chain.ts'
import { repositoryAfter, resultAfter } from '../../../ports/log/facts.ts'
import type { Connection } from '../connection.ts'
import { DamagedError } from '../errors.ts'
import { checked, tolerant } from '../verify.ts'
import { type Head, type Row, writeRows } from '../write.ts'

export interface SalvagedDelivery {
  delivery: string
  /** Events that are in the log again. */
  kept: number
  /** Events that are not; null when nobody can say how many there were. */
  lost: number | null
  /** Why the prefix ends where it does; null when nothing is lost. */
  problem: string | null
}

/** Copies the prefix of every delivery that its chain vouches for, at the same positions. */
export async function copyIntact(files: {
  from: Connection
  to: Connection
  blobs: Blobs
}): Promise<SalvagedDelivery[]> {
  const { from, to, blobs } = files
  const copies = new Map<string, Copy>()
  for (const rows of readableRows(from)) {
    const intact = await intactAmong(rows, copies, blobs)
    to.transaction(() => {
      for (const row of intact) keep(to, copies.get(row.entry.delivery)!, row)
    })
  }
  to.transaction(() => copyMarks(from, to))
  return report(from, copies)
}

interface Copy {
  last: Link
  head: Head
  problem: string | null
}

type Found = [position: number, delivery: string, hash: string, record: string]

const chunk = 500

/** Everything that can be read at all, in order; where a page is damaged, on from the first event behind it. */
function* readableRows(from: Connection): Generator<Found[]> {
  const sql = 'SELECT position, delivery, hash, record FROM events WHERE position > ? ORDER BY position LIMIT ?'
  const end = lastPosition(from)
  let [after, limit] = [0, chunk]
  while (after < end) {
    const rows = tolerant(() => from.all<Found>(sql, after, limit))
    if (rows instanceof DamagedError) {
      if (limit === 1) after++
      limit = 1
      continue
    }
    if (rows.length === 0) return
    yield ascending(rows, after)
    after = Math.max(after + 1, rows.at(-1)![0])
    limit = chunk
  }
}

/** A damaged page may give rows out of order, the same ones again, or none of anybody's. */
function ascending(rows: Found[], after: number): Found[] {
  let last = after
  return rows.filter(([position, delivery]) => {
    if (position <= last || typeof delivery !== 'string') return false
    last = position
    return true
  })
}

/** When even that cannot be read: no more than would fit, at 200 bytes each. */
function lastPosition(from: Connection): number {
  const last = tolerant(() => from.get<[number | null]>('SELECT max(position) FROM events'))
  return last instanceof DamagedError ? Math.ceil(statSync(from.file).size / 200) : (last?.[0] ?? 0)
}

async function intactAmong(rows: Found[], copies: Map<string, Copy>, blobs: Blobs): Promise<Row[]> {
  const intact: Row[] = []
  for (const [position, delivery, hash, record] of rows) {
    const copy = copies.get(delivery) ?? emptyCopy(delivery)
    copies.set(delivery, copy)
    if (copy.problem !== null) continue
    const entry = await checked({ position, hash, record }, copy.last, blobs)
    if (typeof entry === 'string') copy.problem = `version ${copy.last.version + 1}: ${entry}`
    else {
      intact.push({ entry, record, position })
      copy.last = entry
    }
  }
  return intact
}

function emptyCopy(delivery: string): Copy {
  const head = { version: 0, hash: genesis, repository: '', result: null }
  return { last: { delivery, version: 0, hash: genesis }, head, problem: null }
}

function keep(to: Connection, copy: Copy, row: Row): void {
  writeRows(to, copy.head, { rows: [row], withFacts: true })
  copy.head = headAfter(copy.head, row.entry)
}

function headAfter(head: Head, { version, hash, event }: Omit<Recorded, 'position'>): Head {
  const repository = repositoryAfter(head.repository, [event])
  return { version, hash, repository, result: resultAfter(head.result, [event]) }
}

/** Listeners go on where they were, but not beyond the end; every lease is free, but no fence falls. */
function copyMarks(from: Connection, to: Connection): void {
  const [end] = to.get<[number | null]>('SELECT max(position) FROM events') ?? [0]
  for (const [listener, position] of readable<[string, number]>(from, 'SELECT listener, position FROM cursors'))
    to.run('INSERT INTO cursors VALUES(?, min(?, ?))', listener, position, end ?? 0)
  for (const [delivery, fence] of readable<[string, number]>(from, 'SELECT delivery, fence FROM leases'))
    to.run('INSERT INTO leases(delivery, fence) VALUES(?, ?)', delivery, fence)
}

function readable<Columns extends unknown[]>(from: Connection, sql: string): Columns[] {
  const rows = tolerant(() => from.all<Columns>(sql))
  return rows instanceof DamagedError ? [] : rows
}

function report(from: Connection, copies: Map<string, Copy>): SalvagedDelivery[] {
  const heads = tolerant(() => from.all<[string, number]>('SELECT delivery, version FROM deliveries'))
  const recorded = new Map(heads instanceof DamagedError ? [] : heads)
  const ids = [...new Set([...copies.keys(), ...recorded.keys()])].sort()
  return ids.map((delivery) => {
    const { last, problem } = copies.get(delivery) ?? emptyCopy(delivery)
    const [kept, version] = [last.version, recorded.get(delivery)]
    const lost = version === undefined ? null : version - kept
    return { delivery, kept, lost, problem: problem ?? (lost === 0 ? null : 'nothing readable follows') }
  })
}
