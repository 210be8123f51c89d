import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { ChainReport, DeliveryRow, EventQuery, ProofKey, Recorded, StoredProof } from '../../ports/event-log.ts'
import { canonical } from '../../std/hash.ts'
import { parseJson } from '../../std/json.ts'
import { type Connection, DamagedError, damaged } from './connection.ts'
import { digestOf, genesis, type Link, liftedRecord, linkProblem, writtenRecord } from './record.ts'
import { proofIn } from './write.ts'

type From = {
  delivery: string
  after: number
  /** Not lifted into today's shape. */
  asWritten?: true
}

type Stored = [position: number, hash: string, record: string]

/** Every event is hashed on the way: none is passed on damaged, none is left out in silence. */
export async function read(connection: Connection, blobs: Blobs, from: From): Promise<Recorded[]> {
  const events = await readIntact(connection, blobs, from)
  if (events !== null) return events
  const report = await verify(connection, blobs, from.delivery)
  if (report.status === 'intact') throw damaged(connection.file, `delivery ${from.delivery} cannot be read`)
  const { version, position, problem } = report
  throw damaged(connection.file, `delivery ${from.delivery}, version ${version} (position ${position}): ${problem}`)
}

/** The same; null where it is damaged, or where the events do not lead from the start to the head without a gap. */
async function readIntact(
  connection: Connection,
  blobs: Blobs,
  { delivery, after, asWritten }: From,
): Promise<Recorded[] | null> {
  const found = tolerant(() => connection.snapshot(() => find(connection, delivery, after)))
  if (found instanceof DamagedError) return null
  const { head, start, rows } = found
  if (start === undefined) return after > head.version && rows.length === 0 ? [] : null
  const events: Recorded[] = []
  let before = start
  for (const row of rows) {
    const text = isPlain(row[2]) ? row[2] : await wholeEvent(row[2], blobs)
    const entry = linked(text, row, { before, asWritten })
    if (typeof entry === 'string') return null
    events.push(entry)
    before = entry
  }
  return before.version === head.version && before.hash === head.hash ? events : null
}

/** `start` is undefined when there is no event at `after`. */
function find(
  connection: Connection,
  delivery: string,
  after: number,
): { head: Link; start: Link | undefined; rows: Stored[] } {
  const rowsSql = 'SELECT position, hash, record FROM events WHERE delivery = ? AND version > ? ORDER BY version'
  const hashSql = 'SELECT hash FROM events WHERE delivery = ? AND version = ?'
  const [hash] = after === 0 ? [genesis] : (connection.get<[string]>(hashSql, delivery, after) ?? [])
  const start = hash === undefined ? undefined : { delivery, version: after, hash }
  return { head: headOf(connection, delivery), start, rows: connection.all(rowsSql, delivery, after) }
}

/** Where the chain ends, according to the delivery's own row. */
function headOf(connection: Connection, delivery: string): Link {
  const row = connection.get<[number, string]>('SELECT version, head FROM deliveries WHERE delivery = ?', delivery)
  return row === undefined ? { delivery, version: 0, hash: genesis } : { delivery, version: row[0], hash: row[1] }
}

/** One row at a time, so that a damaged page breaks the chain at its first event and not before. */
export async function verify(connection: Connection, blobs: Blobs, delivery: string): Promise<ChainReport> {
  const head = tolerant(() => headOf(connection, delivery))
  if (head instanceof DamagedError) return { status: 'broken', version: 1, position: 0, problem: head.message }
  let before: Link = { delivery, version: 0, hash: genesis }
  while (before.version < head.version) {
    const row = rowAt(connection, delivery, before.version + 1)
    const entry = typeof row === 'string' ? row : await checked(row, before, blobs)
    if (typeof entry === 'string') return broken(before, typeof row === 'string' ? 0 : row[0], entry)
    before = entry
  }
  if (before.hash !== head.hash) return broken(before, 0, 'the chain does not end at its recorded head')
  return { status: 'intact', events: head.version, head: head.hash }
}

function rowAt(connection: Connection, delivery: string, version: number): Stored | string {
  const sql = 'SELECT position, hash, record FROM events WHERE delivery = ? AND version = ?'
  const row = tolerant(() => connection.get<Stored>(sql, delivery, version))
  return row instanceof DamagedError ? row.message : (row ?? 'it is missing')
}

const broken = (before: Link, position: number, problem: string): ChainReport => ({
  ...{ status: 'broken', version: before.version + 1, position, problem },
})

/** The event, or what is wrong with its row as the one after `before`. */
export const checked = async (row: Stored, before: Link, blobs: Blobs): Promise<Recorded | string> =>
  linked(await wholeEvent(row[2], blobs), row, { before })

function linked(
  text: string | null,
  [position, hash]: Stored,
  { before, asWritten }: { before: Link; asWritten?: true | undefined },
): Recorded | string {
  if (text === null) return 'it cannot be read, here or in the blob store'
  if (digestOf(text) !== hash) return 'its hash is wrong'
  const entry = parsed({ position, hash, text }, asWritten)
  return entry === null ? 'it cannot be parsed' : (linkProblem(before, entry) ?? entry)
}

function parsed(
  { position, hash, text }: { position: number; hash: string; text: string },
  asWritten?: true,
): Recorded | null {
  try {
    const written = writtenRecord(position, hash, text)
    const lifted = liftedRecord(written)
    return asWritten === true ? written : lifted
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

/** Runs along one key, from the end that is asked for, and stops when it has enough. */
export async function query(connection: Connection, blobs: Blobs, wanted: EventQuery): Promise<Recorded[]> {
  const events: Recorded[] = []
  for (const [position, hash, record] of matching(connection, wanted)) {
    const text = short(record) ?? (await wholeEvent(record, blobs))
    const entry = text === null ? null : parsed({ position, hash, text })
    if (entry === null || (isPlain(record) && digestOf(record) !== hash))
      throw damaged(connection.file, `the event at position ${position} cannot be read`)
    events.push(entry)
  }
  return events
}

function matching(connection: Connection, { delivery, types, story, after, from, limit }: EventQuery): Stored[] {
  const conditions: [sql: string, ...values: (string | number)[]][] = [['position > ?', after]]
  if (delivery !== null) conditions.push(['delivery = ?', delivery])
  if (story !== null) conditions.push(['story = ?', story])
  if (types.length > 0) conditions.push([`type IN (${types.map(() => '?').join()})`, ...types])
  const where = conditions.map(([sql]) => sql).join(' AND ')
  const order = `${delivery === null ? 'position' : 'version'} ${from === 'first' ? 'ASC' : 'DESC'}`
  // Positions first: only the rows that are wanted are fetched, however many are sorted.
  const positions = `SELECT position FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`
  const sql = `SELECT position, hash, record FROM events WHERE position IN (${positions}) ORDER BY position`
  return connection.all(sql, ...conditions.flatMap(([, ...values]) => values), Math.max(0, limit))
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

/** A row only says where to look: whoever can write to the file could have written it. The chain has to say the same. */
export async function findProof(connection: Connection, blobs: Blobs, key: ProofKey): Promise<StoredProof | null> {
  const sql = `SELECT delivery, version, durationMs, outputDigest, counts FROM proofs
    WHERE repository = ? AND tree = ? AND command = ? AND environmentKey = ?`
  type Row = [string, number, number, string, string | null]
  const row = connection.get<Row>(sql, key.repository, key.tree, key.command, key.environmentKey)
  if (row === undefined) return null
  const [delivery, version, durationMs, outputDigest, counts] = row
  const told = { durationMs, outputDigest, counts: counts === null ? null : (parseJson(counts) ?? counts) }
  const proof = storedProof((await readIntact(connection, blobs, { delivery, after: version - 1 })) ?? [], key)
  return proof !== null && canonical(told) === canonical(toldBy(proof)) ? proof : null
}

const toldBy = ({ durationMs, outputDigest, counts }: StoredProof) => ({ durationMs, outputDigest, counts })

/** The proof of this key that the first of a chain's last events establishes; null: what led to it is worth nothing. */
export function storedProof([entry, ...later]: Recorded[], key: ProofKey): StoredProof | null {
  const proof = entry === undefined ? null : proofIn(entry.event)
  if (entry === undefined || proof === null) return null
  // It stood in a file.
  if (later.some(({ event }) => event.type === 'DeliveryImported')) return null
  const { tree, command, environmentKey, durationMs, outputDigest, counts, byExitCode } = proof
  if (tree !== key.tree || command !== key.command || environmentKey !== key.environmentKey) return null
  const { delivery, version } = entry
  return { delivery, version, durationMs, outputDigest, counts, ...(byExitCode === true && { byExitCode }) }
}

/** The text that the hash covers; null when its blob, or the row itself, is gone or damaged. */
async function wholeEvent(record: unknown, blobs: Blobs): Promise<string | null> {
  if (isPlain(record)) return record
  if (typeof record !== 'string') return null
  const [mark = '', envelope = ''] = record.split('\n', 2)
  const content = await blobs.get(mark.slice(1)).catch((error: unknown) => {
    if (error instanceof TerminalError) return null
    throw error
  })
  return content === null ? null : `${envelope}\n${Buffer.from(content).toString('utf8')}`
}

/** The text with the long strings of a large event cut; null when even that was too long to keep. */
function short(record: unknown): string | null {
  if (isPlain(record)) return record
  if (typeof record !== 'string') return null
  const text = record.slice(record.indexOf('\n') + 1)
  return text.endsWith('\n') ? null : text
}

/** Whether the row holds the whole event. A damaged row may hold anything. */
const isPlain = (record: unknown): record is string => typeof record === 'string' && !record.startsWith('@')
