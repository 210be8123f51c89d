import type { Blobs } from '../../ports/blobs.ts'
import type { EventQuery, Recorded } from '../../ports/event-log.ts'
import { digestOf } from '../../ports/log/chain.ts'
import type { Connection } from './connection.ts'
import { damaged } from './errors.ts'
import { isPlain, short, wholeEvent } from './large.ts'
import { parsed, type StoredRow } from './verify.ts'

/** Runs along one key, from the end that is asked for, and stops when it has enough. */
export async function query(connection: Connection, blobs: Blobs, wanted: EventQuery): Promise<Recorded[]> {
  const rows = find(connection, wanted).map(([position, hash, record]) => ({ position, hash, record }))
  rows.sort((a, b) => a.position - b.position)
  const chosen = wanted.from === 'first' ? rows.slice(0, wanted.limit) : rows.slice(-wanted.limit)
  const events: Recorded[] = []
  for (const row of wanted.limit > 0 ? chosen : []) events.push(await entryOf(connection.file, row, blobs))
  return events
}

type Found = [position: number, hash: string, record: string]
type Condition = [sql: string, ...values: (string | number)[]]

function find(connection: Connection, wanted: EventQuery): Found[] {
  const { delivery, types, story, after } = wanted
  const filter: Condition[] = story === null ? [] : [['story = ?', story]]
  if (types.length > 0) filter.push([`type IN (${types.map(() => '?').join()})`, ...types])
  if (delivery === null) return select(connection, [['position > ?', after], ...filter], wanted)
  const version = versionAt(connection, delivery, after)
  return select(connection, [['delivery = ?', delivery], ['version > ?', version], ...filter], wanted)
}

function select(connection: Connection, conditions: Condition[], { from, limit }: EventQuery): Found[] {
  const where = conditions.map(([sql]) => sql).join(' AND ')
  const order = `${where.includes('version') ? 'version' : 'position'} ${from === 'first' ? 'ASC' : 'DESC'}`
  const values = conditions.flatMap(([, ...inner]) => inner)
  // Positions first: only the rows that are wanted are fetched, however many are sorted.
  const positions = `SELECT position FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`
  const sql = `SELECT position, hash, record FROM events WHERE position IN (${positions})`
  return connection.all(sql, ...values, limit)
}

const sizeOf = (connection: Connection, delivery: string): number =>
  connection.get<[number]>('SELECT version FROM deliveries WHERE delivery = ?', delivery)?.[0] ?? 0

/** The last version of the delivery at or before a position: positions rise with versions, so halving finds it. */
function versionAt(connection: Connection, delivery: string, position: number): number {
  const sql = 'SELECT position FROM events WHERE delivery = ? AND version = ?'
  let [low, high] = [0, position === 0 ? 0 : sizeOf(connection, delivery)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const found = connection.get<[number]>(sql, delivery, middle)?.[0] ?? Number.POSITIVE_INFINITY
    if (found <= position) low = middle
    else high = middle - 1
  }
  return low
}

async function entryOf(file: string, { position, hash, record }: StoredRow, blobs: Blobs): Promise<Recorded> {
  const text = short(record) ?? (await wholeEvent(record, blobs))
  const entry = text === null ? null : parsed({ position, hash, text })
  if (entry === null || (isPlain(record) && digestOf(text!) !== hash))
    throw damaged(file, `the event at position ${position} cannot be read`)
  return entry
}
