import type { DeliveryEvent, Refusal } from '../../delivery/events.ts'
import type { Proof } from '../../delivery/judging/finding.ts'
import { type Spending, spendingOf } from '../../delivery/money/ledger.ts'
import { isOfModel } from '../../delivery/shared/choosing.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Append, Appended, Fresh, Recorded, StoredRefusal } from '../../ports/event-log.ts'
import { canonical } from '../../std/hash.ts'
import type { Connection } from './connection.ts'
import { changeSlots } from './leases.ts'
import { digestOf, envelopeText, firstBreak, genesis, newerThanUs, schemaNumber } from './record.ts'

/** Refuses, or writes all of the batch with everything that follows from it. */
export async function append(connection: Connection, blobs: Blobs, batch: Append): Promise<Appended> {
  const payloads: Payload[] = []
  for (const { event } of batch.events) payloads.push(await kept(event, blobs))
  return connection.transaction(
    () => write(connection, batch, payloads),
    (result) => result.status === 'appended',
  )
}

/** Takes in a delivery that was exported elsewhere. */
export async function takeIn(
  { connection, blobs }: { connection: Connection; blobs: Blobs },
  events: Recorded[],
  mark: Fresh,
): Promise<void> {
  const delivery = events[0]?.delivery ?? ''
  const newer = events.find((entry) => entry.schema > schemaNumber)
  if (newer !== undefined) throw newerThanUs(newer.schema)
  const broken = firstBreak(delivery, events)
  if (broken !== null) throw notTakenIn(delivery, `its chain is broken at version ${broken.version}: ${broken.problem}`)
  const rows: Row[] = []
  for (const entry of events) {
    const record = recordOf(envelopeText(entry), await kept(entry.event, blobs))
    rows.push({ entry, record, position: null })
  }
  const marking = { delivery, expected: events.length, events: [mark], fence: null, slots: [] }
  const marked = sealed(events.at(-1)?.hash ?? genesis, marking, [await kept(mark.event, blobs)])
  connection.transaction(() => {
    const { head } = standing(connection, delivery)
    if (head.version > 0) throw notTakenIn(delivery, 'a delivery of this id is here already')
    writeRows(connection, head, { rows: [...rows, ...marked], withFacts: false })
  })
}

interface Standing {
  head: Head
  /** Null when nobody holds the lease. */
  fence: number | null
}

function standing(connection: Connection, delivery: string): Standing {
  const sql = `SELECT d.version, d.head, d.repository, d.result, l.fence, l.worker FROM (SELECT ? AS delivery) AS wanted
    LEFT JOIN deliveries AS d USING(delivery) LEFT JOIN leases AS l USING(delivery)`
  type Found = [number | null, string, string, string | null, number | null, string | null]
  const [version, hash, repository, result, fence, worker] = connection.get<Found>(sql, delivery)!
  const head =
    version === null ? { version: 0, hash: genesis, repository: '', result } : { version, hash, repository, result }
  return { head, fence: worker === null ? null : fence }
}

function refusal({ head, fence }: Standing, batch: Append): Appended | null {
  if (batch.fence !== null && batch.fence !== fence) return { status: 'fenced' }
  if (batch.expected !== head.version) return { status: 'conflict', version: head.version }
  return null
}

function write(connection: Connection, batch: Append, payloads: Payload[]): Appended {
  const now = standing(connection, batch.delivery)
  const refused = refusal(now, batch)
  if (refused !== null) return refused
  const full = changeSlots(connection, batch)
  if (full !== null) return { status: 'full', kind: full }
  const rows = sealed(now.head.hash, batch, payloads)
  const { positions } = writeRows(connection, now.head, { rows, withFacts: true })
  return { status: 'appended', recorded: rows.map(({ entry }, index) => ({ ...entry, position: positions[index]! })) }
}

function sealed(head: string, batch: Append, payloads: Payload[]): Row[] {
  let previous = head
  return batch.events.map(({ at, actor, cause, event }, index) => {
    const version = batch.expected + index + 1
    const entry = { delivery: batch.delivery, version, at, schema: schemaNumber, actor, cause, previous, event }
    const [envelope, payload] = [envelopeText(entry), payloads[index]!]
    previous = digestOf(`${envelope}\n${payload.text}`)
    return { entry: { ...entry, hash: previous }, record: recordOf(envelope, payload), position: null }
  })
}

function notTakenIn(delivery: string, why: string): TerminalError {
  return new TerminalError(`delivery ${delivery} was not imported: ${why}`, 'export it again from where it is intact')
}

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

/** Writes events after the head, and what follows from them elsewhere. Only in a transaction. */
export function writeRows(
  connection: Connection,
  head: Head,
  { rows, withFacts }: { rows: Row[]; withFacts: boolean },
): { positions: number[]; head: Head } {
  if (rows.length === 0) return { positions: [], head }
  const positions = rows.map((row) => insertEvent(connection, row))
  const after = writeHead(connection, head, rows)
  if (withFacts) for (const { entry } of rows) writeFacts(connection, after.repository, entry)
  return { positions, head: after }
}

function insertEvent(connection: Connection, { entry, record, position }: Row): number {
  const { delivery, version, event, hash } = entry
  const sql = 'INSERT INTO events VALUES(?, ?, ?, ?, ?, ?, ?)'
  return connection.run(sql, position, delivery, version, event.type, storyTold(event), hash, record)
}

/** Returns what it is now. */
function writeHead(connection: Connection, head: Head, rows: Row[]): Head {
  const [first, last] = [rows[0]!.entry, rows.at(-1)!.entry]
  const events = rows.map(({ entry }) => entry.event)
  const result = resultAfter(head.result, events)
  const repository = repositoryAfter(head.repository, events)
  const after = { version: last.version, hash: last.hash, repository, result }
  if (head.version > 0) {
    const sql =
      'UPDATE deliveries SET version = ?, head = ?, repository = ?, updatedAt = ?, result = ? WHERE delivery = ?'
    connection.run(sql, last.version, last.hash, repository, last.at, result, last.delivery)
    return after
  }
  const values = [last.delivery, last.version, last.hash, repository, titleIn(events), first.at, last.at, result]
  connection.run('INSERT INTO deliveries VALUES(?, ?, ?, ?, ?, ?, ?, ?)', ...values)
  return after
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

// What an append must also write outside its delivery, in the same transaction.

/** The story an event is about, for looking it up. */
export function storyTold(event: DeliveryEvent): string | null {
  if (event.type === 'StepStarted') return event.step.story
  if (event.type === 'TurnSpent') return event.turn.story
  return 'story' in event ? event.story : null
}

/** The proof that an event establishes; one that was taken from an earlier run establishes nothing. */
export function proofIn(event: DeliveryEvent): Proof | null {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed') return null
  const { proof } = event.verdict
  return proof === null || proof.reused ? null : proof
}

/** What an event adds to its day. */
export function spendingIn(event: DeliveryEvent): Spending | null {
  return event.type === 'TurnSpent' ? spendingOf(event.turn) : null
}

/** How long a service refuses turns, for whoever else uses it. */
export function refusalTold(
  event: DeliveryEvent,
  since: number,
): (StoredRefusal & { account: string; model: string | null }) | null {
  if (event.type !== 'AgentRefused' || event.until === null || event.until <= since) return null
  const { account, kind, until, message, remedy } = event
  return { account, model: isOfModel(kind) ? event.model : null, since, until, kind, message, remedy }
}

/** The delivery's result after these events, given what it was before them. */
export function resultAfter(before: string | null, events: DeliveryEvent[]): string | null {
  return events.reduce<string | null>((result, event) => {
    if (event.type === 'DeliveryCompleted') return event.result
    return event.type === 'DeliveryReopened' ? null : result
  }, before)
}

/** The delivery's repository after these events, given what it was before them. */
export function repositoryAfter(before: string, events: DeliveryEvent[]): string {
  return events.reduce(
    (id, event) => ('repository' in event && event.repository !== null ? event.repository.id : id),
    before,
  )
}

/** What a list of deliveries shows of the request. */
export function titleIn(events: DeliveryEvent[]): string {
  const request = events.find((event) => event.type === 'DeliveryRequested')
  return request === undefined ? '' : titleOf(request.requirement.text)
}

function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? ''
  return [...line].length > 80 ? `${[...line].slice(0, 79).join('')}…` : line
}

// Events over 64 KiB live in the blob store. Their row keeps the envelope and a short form, so that lists stay fast.

const inlineBytes = 64 * 1024
const shortChars = 1024

/** An event's text, and what its row keeps of it. */
interface Payload {
  text: string
  /** Digest and short form of a large one. */
  large: { digest: string; short: string } | null
}

/** A large event is in the blob store, and synced, when this returns. */
async function kept(event: DeliveryEvent, blobs: Blobs): Promise<Payload> {
  const text = canonical(event)
  if (text.length <= inlineBytes / 3 || Buffer.byteLength(text) <= inlineBytes) return { text, large: null }
  return { text, large: { digest: await blobs.put(text), short: shortForm(text) } }
}

/** The `record` column. */
const recordOf = (envelope: string, { text, large }: Payload): string =>
  large === null ? `${envelope}\n${text}` : `@${large.digest}\n${envelope}\n${large.short}`

function shortForm(payload: string): string {
  const text = JSON.stringify(JSON.parse(payload, (_, value) => (isLong(value) ? cut(value) : value)))
  return Buffer.byteLength(text) <= inlineBytes ? text : ''
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > shortChars
const cut = (text: string): string => `${text.slice(0, shortChars)}… (cut here: ${text.length} characters)`
