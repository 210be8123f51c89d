import type { Blobs } from '../../ports/blobs.ts'
import type { EventQuery, Recorded } from '../../ports/event-log.ts'
import type { Connection } from './connection.ts'
import { damaged } from './errors.ts'
import { short, whole } from './large.ts'
import { parsed, type Row } from './verify.ts'

/** Each kind of question has one index that answers it in the order of positions; `+` keeps SQLite from another. */
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

// Up to this size a delivery is searched through by itself; above it, the index on types is better.
const smallDelivery = 20_000

function find(connection: Connection, wanted: EventQuery): Found[] {
  const { delivery, types, story, after } = wanted
  const anyType: Condition[] = types.length === 0 ? [] : [[`+type IN (${types.map(() => '?').join()})`, ...types]]
  const inDelivery: Condition[] = delivery === null ? [] : [['+delivery = ?', delivery]]
  const later: Condition = ['position > ?', after]
  if (story !== null) return select(connection, [['story = ?', story], later, ...inDelivery, ...anyType], wanted)
  if (delivery !== null && (types.length === 0 || sizeOf(connection, delivery) <= smallDelivery)) {
    const version = versionAt(connection, delivery, after)
    return select(connection, [['delivery = ?', delivery], ['version > ?', version], ...anyType], wanted)
  }
  if (types.length === 0) return select(connection, [later], wanted)
  return types.flatMap((type) => select(connection, [['type = ?', type], later, ...inDelivery], wanted))
}

function select(connection: Connection, conditions: Condition[], { from, limit }: EventQuery): Found[] {
  const where = conditions.map(([sql]) => sql).join(' AND ')
  const order = `${conditions[0]![0].startsWith('delivery') ? 'version' : 'position'} ${from === 'first' ? 'ASC' : 'DESC'}`
  const values = conditions.flatMap(([, ...inner]) => inner)
  return connection.all(
    `SELECT position, hash, record FROM events WHERE ${where} ORDER BY ${order} LIMIT ?`,
    ...values,
    limit,
  )
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

async function entryOf(file: string, { position, hash, record }: Row, blobs: Blobs): Promise<Recorded> {
  const text = short(record) ?? (await whole(record, blobs))
  const entry = text === null ? null : parsed({ position, hash, text })
  if (entry === null) throw damaged(file, `the event at position ${position} cannot be read`)
  return entry
}
