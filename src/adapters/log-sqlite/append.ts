import type { Blobs } from '../../ports/blobs.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Append, Appended, Fresh, Recorded } from '../../ports/event-log.ts'
import { digestOf, envelopeText, firstBreak, genesis } from '../../ports/log/chain.ts'
import { newerThanUs, schemaNumber } from '../../ports/log/lift.ts'
import type { Connection } from './connection.ts'
import { kept, type Payload, recordOf } from './large.ts'
import { changeSlots } from './slots.ts'
import { type Head, type Row, writeRows } from './write.ts'

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
  const positions = writeRows(connection, now.head, { rows, withFacts: true })
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
