import type { DeliveryEvent, Refusal } from '../../delivery/events.ts'
import { nothing, type Spending } from '../../delivery/money/ledger.ts'
import type { Recorded, StoredRefusal } from '../../ports/event-log.ts'
import {
  proofIn,
  refusalTold,
  repositoryAfter,
  resultAfter,
  spendingIn,
  storyTold,
  titleIn,
} from '../../ports/log/facts.ts'
import type { Connection } from './connection.ts'

/** An event that has its hash, with the text for its row. */
export interface Row {
  entry: Omit<Recorded, 'position'>
  record: string
  /** Null: the next one. */
  position: number | null
}

export interface Head {
  version: number
  hash: string
  repository: string
  result: string | null
}

/** Writes events after the head, and what follows from them elsewhere. Returns their positions. Only in a transaction. */
export function writeRows(
  connection: Connection,
  head: Head,
  { rows, withFacts }: { rows: Row[]; withFacts: boolean },
): number[] {
  const last = rows.at(-1)?.entry
  if (last === undefined) return []
  const positions = rows.map((row) => insertEvent(connection, row))
  const repository = writeHead(connection, head, rows)
  if (withFacts) for (const { entry } of rows) writeFacts(connection, repository, entry)
  return positions
}

function insertEvent(connection: Connection, { entry, record, position }: Row): number {
  const { delivery, version, event, hash } = entry
  const sql = 'INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?)'
  return connection.run(sql, position, delivery, version, event.type, storyTold(event), hash, record)
}

/** Returns the delivery's repository. */
function writeHead(connection: Connection, head: Head, rows: Row[]): string {
  const [first, last] = [rows[0]!.entry, rows.at(-1)!.entry]
  const events = rows.map(({ entry }) => entry.event)
  const result = resultAfter(head.result, events)
  const repository = repositoryAfter(head.repository, events)
  if (head.version > 0) {
    const sql =
      'UPDATE deliveries SET version = ?, head = ?, repository = ?, updatedAt = ?, result = ? WHERE delivery = ?'
    connection.run(sql, last.version, last.hash, repository, last.at, result, last.delivery)
    return repository
  }
  const values = [last.delivery, last.version, last.hash, repository, titleIn(events), first.at, last.at, result]
  connection.run('INSERT INTO deliveries VALUES(?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  return repository
}

function writeFacts(connection: Connection, repository: string, entry: Omit<Recorded, 'position'>): void {
  const spent = spendingIn(entry.event)
  if (spent !== null) addToDay(connection, entry.at, spent)
  const refusal = refusalTold(entry.event, entry.at)
  if (refusal !== null) writeRefusal(connection, refusal)
  writeProof(connection, repository, entry)
}

function writeRefusal(connection: Connection, refusal: NonNullable<ReturnType<typeof refusalTold>>): void {
  const { account, model, since, until, kind, message, remedy } = refusal
  // Another delivery may only have heard of it: then it is as old as it was.
  const sql = `INSERT INTO refusals VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET since = excluded.since,
    until = excluded.until, kind = excluded.kind, message = excluded.message, remedy = excluded.remedy
    WHERE until <> excluded.until`
  connection.run(sql, account, model ?? '', since, until, kind, message, remedy)
}

export function refusalOf(connection: Connection, account: string, model: string | null): StoredRefusal | null {
  const sql = 'SELECT since, until, kind, message, remedy FROM refusals WHERE account = ? AND model = ?'
  const row = connection.get<[number, number, Refusal, string, string]>(sql, account, model ?? '')
  if (row === undefined) return null
  const [since, until, kind, message, remedy] = row
  return { since, until, kind, message, remedy }
}

function addToDay(connection: Connection, at: number, { usd, tokens, ms }: Spending): void {
  const sql = `INSERT INTO days VALUES(?, ?, ?, ?) ON CONFLICT(day)
    DO UPDATE SET usd = usd + excluded.usd, tokens = tokens + excluded.tokens, ms = ms + excluded.ms`
  connection.run(sql, new Date(at).toISOString().slice(0, 10), usd, tokens, ms)
}

export function spentOn(connection: Connection, day: string): Spending {
  const row = connection.get<[number, number, number]>('SELECT usd, tokens, ms FROM days WHERE day = ?', day)
  return row === undefined ? nothing : { usd: row[0], tokens: row[1], ms: row[2] }
}

function writeProof(
  connection: Connection,
  repository: string,
  { delivery, version, event }: { delivery: string; version: number; event: DeliveryEvent },
): void {
  const proof = proofIn(event)
  if (proof === null) return
  const { tree, command, environmentKey, durationMs, outputDigest } = proof
  const counts = proof.counts === null ? null : JSON.stringify(proof.counts)
  const values = [repository, tree, command, environmentKey, delivery, version, durationMs, outputDigest, counts]
  connection.run('INSERT OR REPLACE INTO proofs VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)', ...values)
}
