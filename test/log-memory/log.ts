import { storedProof } from '../../src/adapters/log-sqlite/read.ts'
import { firstBreak, genesis, liftedRecord, recordedIn, writtenRecord } from '../../src/adapters/log-sqlite/record.ts'
import { nothing } from '../../src/delivery/money/ledger.ts'
import type { EventLog, EventQuery, Lease, ProofKey, Recorded, StoredProof } from '../../src/ports/event-log.ts'
import { append, takeIn } from './append.ts'
import { breakLease, leaseOf, releaseLease, renewLease, takeLease } from './leases.ts'
import { type Entry, emptyStore, proofKey, refusalKey, type Store } from './store.ts'

export interface MemoryLogOptions {
  /** Whether the process that holds a lease is still there. */
  isAlive: (lease: Lease) => boolean
}

/** A log that forgets at exit, and holds events as text, so that nobody can change them by holding on to one. */
export function memoryLog({ isAlive }: MemoryLogOptions): EventLog {
  const store = emptyStore(isAlive)
  return {
    append: async (batch) => append(store, batch),
    read: async (delivery, after) => (store.chains.get(delivery)?.entries ?? []).slice(after).map(recorded),
    recorded: recordedIn,
    lifted: (events) => events.map(liftedRecord),
    written: async (delivery) =>
      (store.chains.get(delivery)?.entries ?? []).map(({ position, hash, text }) =>
        writtenRecord(position, hash, text),
      ),
    query: async (wanted) => query(store, wanted),
    deliveries: async (repository) => deliveries(store, repository),
    takeLease: async (request) => takeLease(store, request),
    renewLease: async (lease, at, ttlMs) => renewLease(store, lease, at + ttlMs),
    releaseLease: async (lease) => releaseLease(store, lease),
    leaseOf: async (delivery) => leaseOf(store, delivery),
    breakLease: async (delivery) => breakLease(store, delivery),
    ...caches(),
    findProof: async (key) => findProof(store, key),
    spentOn: async (day) => ({ ...(store.days.get(day) ?? nothing) }),
    refusalOf: async (account, model) => store.refusals.get(refusalKey(account, model)) ?? null,
    verify: async (delivery) => verify(store, delivery),
    takeIn: async (events, mark) => takeIn(store, events, mark),
    close: async () => {},
  }
}

function recorded({ position, hash, text }: Entry): Recorded {
  return liftedRecord(writtenRecord(position, hash, text))
}

function findProof(store: Store, key: ProofKey): StoredProof | null {
  const at = store.proofs.get(proofKey(key))
  const since = at === undefined ? [] : (store.chains.get(at.delivery)?.entries.slice(at.version - 1) ?? [])
  return storedProof(since.map(recorded), key)
}

function query(store: Store, { delivery, types, story, after, limit, from }: EventQuery): Recorded[] {
  const fits = (entry: Entry): boolean =>
    (delivery === null || entry.delivery === delivery) &&
    (story === null || entry.story === story) &&
    (types.length === 0 || types.includes(entry.type))
  const found: Entry[] = []
  const last = store.entries.length - 1
  for (let i = 0; after + i <= last && found.length < limit; i++) {
    const entry = store.entries[from === 'first' ? after + i : last - i]!
    if (fits(entry)) found.push(entry)
  }
  return (from === 'first' ? found : found.reverse()).map(recorded)
}

function deliveries(store: Store, repository: string | null): Awaited<ReturnType<EventLog['deliveries']>> {
  const rows = [...store.chains.values()].map(({ row }) => ({ ...row }))
  const wanted = rows.filter((row) => repository === null || row.repository === repository)
  return wanted.sort((a, b) => a.requestedAt - b.requestedAt || (a.delivery < b.delivery ? -1 : 1))
}

function caches(): Pick<EventLog, 'saveSnapshot' | 'loadSnapshot' | 'cursor' | 'moveCursor'> {
  const snapshots = new Map<string, { version: number; state: string }>()
  const cursors = new Map<string, number>()
  return {
    saveSnapshot: async (...[delivery, version, shape, state]) => {
      const key = JSON.stringify([delivery, shape])
      if (version > (snapshots.get(key)?.version ?? -1)) snapshots.set(key, { version, state })
    },
    loadSnapshot: async (delivery, shape) => snapshots.get(JSON.stringify([delivery, shape])) ?? null,
    cursor: async (listener) => cursors.get(listener) ?? 0,
    moveCursor: async (listener, position) => void cursors.set(listener, position),
  }
}

function verify(store: Store, delivery: string): Awaited<ReturnType<EventLog['verify']>> {
  const entries = store.chains.get(delivery)?.entries ?? []
  const broken = firstBreak(delivery, entries.map(recorded))
  if (broken !== null) return { status: 'broken', position: entries[broken.version - 1]!.position, ...broken }
  return { status: 'intact', events: entries.length, head: entries.at(-1)?.hash ?? genesis }
}
