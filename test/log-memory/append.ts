import {
  digestOf,
  firstBreak,
  genesis,
  newerThanUs,
  recordText,
  schemaNumber,
} from '../../src/adapters/log-sqlite/record.ts'
import {
  proofIn,
  refusalTold,
  repositoryAfter,
  resultAfter,
  spendingIn,
  storyTold,
  titleIn,
} from '../../src/adapters/log-sqlite/write.ts'
import { both, nothing } from '../../src/delivery/money/ledger.ts'
import { TerminalError } from '../../src/ports/errors.ts'
import type { Append, Appended, Fresh, Recorded } from '../../src/ports/event-log.ts'
import { changedSlots } from './slots.ts'
import { type Chain, proofKey, refusalKey, type Store } from './store.ts'

export function append(store: Store, batch: Append): Appended {
  const { delivery, expected, fence } = batch
  const held = store.leases.get(delivery)
  if (fence !== null && (held === undefined || held.free || held.lease.fence !== fence)) return { status: 'fenced' }
  const entries = store.chains.get(delivery)?.entries ?? []
  if (entries.length !== expected) return { status: 'conflict', version: entries.length }
  const slots = changedSlots(store, batch)
  if ('full' in slots) return { status: 'full', kind: slots.full }
  if (batch.slots.length > 0) store.slots.set(delivery, slots.held)
  return { status: 'appended', recorded: write(store, sealed(entries.at(-1)?.hash ?? genesis, batch), true) }
}

export function takeIn(store: Store, events: Recorded[], mark: Fresh): void {
  const delivery = events[0]?.delivery ?? ''
  const newer = events.find((entry) => entry.schema > schemaNumber)
  if (newer !== undefined) throw newerThanUs(newer.schema)
  const broken = firstBreak(delivery, events)
  if (broken !== null) throw notTakenIn(delivery, `its chain is broken at version ${broken.version}: ${broken.problem}`)
  if (store.chains.has(delivery)) throw notTakenIn(delivery, 'a delivery of this id is here already')
  const marking = { delivery, expected: events.length, events: [mark], fence: null, slots: [] }
  const rows = events.map((entry) => ({ entry, text: recordText(entry) }))
  write(store, [...rows, ...sealed(events.at(-1)?.hash ?? genesis, marking)], false)
}

interface Sealed {
  entry: Omit<Recorded, 'position'>
  text: string
}

function sealed(head: string, { delivery, expected, events }: Append): Sealed[] {
  let previous = head
  return events.map(({ at, actor, cause, event }, index) => {
    const entry = { delivery, version: expected + index + 1, at, schema: schemaNumber, actor, cause, previous, event }
    const text = recordText(entry)
    previous = digestOf(text)
    return { entry: { ...entry, hash: previous }, text }
  })
}

function write(store: Store, rows: Sealed[], withFacts: boolean): Recorded[] {
  const first = rows[0]
  if (first === undefined) return []
  const { row } = chainFor(store, rows)
  const events = rows.map(({ entry }) => entry.event)
  row.result = resultAfter(row.result, events)
  row.repository = repositoryAfter(row.repository, events)
  return rows.map((one) => {
    if (withFacts) writeFacts(store, row.repository, one.entry)
    return writeOne(store, chainFor(store, rows), one)
  })
}

function chainFor(store: Store, rows: Sealed[]): Chain {
  const { delivery, at } = rows[0]!.entry
  const known = store.chains.get(delivery)
  if (known !== undefined) return known
  const title = titleIn(rows.map(({ entry }) => entry.event))
  const row = { delivery, version: 0, requestedAt: at, updatedAt: at, result: null, repository: '', title }
  const chain = { row, entries: [] }
  store.chains.set(delivery, chain)
  return chain
}

function writeOne(store: Store, { row, entries }: Chain, { entry, text }: Sealed): Recorded {
  const { delivery, version, at, hash, event } = entry
  const position = store.entries.length + 1
  const kept = { position, delivery, type: event.type, story: storyTold(event), hash, text }
  store.entries.push(kept)
  entries.push(kept)
  row.version = version
  row.updatedAt = at
  store.latest = Math.max(store.latest, at)
  return { ...entry, position }
}

function writeFacts(store: Store, repository: string, { delivery, version, at, event }: Sealed['entry']): void {
  const spent = spendingIn(event)
  const day = new Date(at).toISOString().slice(0, 10)
  if (spent !== null) store.days.set(day, both(store.days.get(day) ?? nothing, spent))
  const refusal = refusalTold(event, at)
  if (refusal !== null) writeRefusal(store, refusal)
  const proof = proofIn(event)
  if (proof !== null) store.proofs.set(proofKey({ repository, ...proof }), { delivery, version })
}

/** Another delivery may only have heard of it: then it is as old as it was. */
function writeRefusal(store: Store, { account, model, ...refusal }: NonNullable<ReturnType<typeof refusalTold>>): void {
  const key = refusalKey(account, model)
  if (store.refusals.get(key)?.until !== refusal.until) store.refusals.set(key, refusal)
}

function notTakenIn(delivery: string, why: string): TerminalError {
  return new TerminalError(`delivery ${delivery} was not imported: ${why}`, 'export it again from where it is intact')
}
