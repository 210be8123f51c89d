import type { DeliveryEvent, Envelope, EventType } from '../delivery/events.ts'
import type { Proof } from '../delivery/judging/finding.ts'
import type { Spending } from '../delivery/money/ledger.ts'

/** An event as it stands in the log. */
export interface Recorded extends Envelope {
  /** One global order over all deliveries, for listeners. */
  position: number
  schema: number
  actor: string
  /** The step or intent that led to it. */
  cause: string | null
  /** Hash of the event before it in this delivery; the first one's is all zeros. */
  previous: string
  hash: string
}

export type Fresh = Pick<Recorded, 'at' | 'actor' | 'cause' | 'event'>

export interface Append {
  delivery: string
  /** The version the writer has seen. 0 creates the delivery. */
  expected: number
  events: Fresh[]
  /** The driver's fencing token; null for intents, which need no lease. */
  fence: number | null
  /** Slots taken and given back, in the same transaction. */
  slots: SlotChange[]
}

export type SlotChange =
  /** Refused with `full` when `limit` holders of the kind exist over all deliveries whose lease is alive. */
  | { change: 'take'; kind: string; holder: string; limit: number }
  /**
   * Sets money aside for a turn. Refused with `full` of the kind `money` when it does not fit under the ceiling beside
   * what the day has cost and what all deliveries whose lease is alive have set aside. A null ceiling refuses nothing.
   */
  | { change: 'reserve'; holder: string; usd: number; day: string; ceilingUsd: number | null }
  /** All that the holder has taken and reserved. */
  | { change: 'give'; holder: string }

export type Appended =
  | { status: 'appended'; recorded: Recorded[] }
  /** Somebody else appended first: read on, decide again. */
  | { status: 'conflict'; version: number }
  /** Another driver has taken the delivery over: stop at once, write nothing more. */
  | { status: 'fenced' }
  | { status: 'full'; kind: string }

export interface DeliveryRow {
  delivery: string
  repository: string
  version: number
  requestedAt: number
  updatedAt: number
  /** From `DeliveryCompleted`, null while open. */
  result: string | null
  title: string
}

export interface Lease {
  delivery: string
  worker: string
  fence: number
  expiresAt: number
  /** Process that holds it, for people and for the check whether it is still there. */
  host: string
  pid: number
  /** By how much each renewal goes on; whoever watches it unchanged for so long may take it. */
  ttlMs: number
  /** That process can be seen from here, and is alive. Otherwise nobody here knows: it is in another container, or on another machine. */
  beside: boolean
}

/** What is different after each renewal: clocks differ between machines, this does not. */
export type Watched = Pick<Lease, 'fence' | 'expiresAt'>

export interface EventQuery {
  delivery: string | null
  types: EventType[]
  story: string | null
  /** After this global position. */
  after: number
  limit: number
  /** `last` gives the newest `limit` events, still in ascending order. */
  from: 'first' | 'last'
}

export type ChainReport =
  | { status: 'intact'; events: number; head: string }
  | { status: 'broken'; version: number; position: number; problem: string }

/**
 * The only memory. Every method may throw TerminalError (damaged, full, read-only, newer than us)
 * and TransientError (locked by another process for longer than the busy timeout).
 * An append that returned is on disk; one that threw has changed nothing.
 */
export interface EventLog {
  append(batch: Append): Promise<Appended>
  /** Events of one delivery with a version above `after`, in order. */
  read(delivery: string, after: number): Promise<Recorded[]>
  /** All of them as they were written, which is what their hashes are of: to be exported. */
  written(delivery: string): Promise<Recorded[]>
  /** What `written` gave somewhere, from a file at this place. TerminalError: it is no such thing, or of a version that is not read here. */
  recorded(values: unknown[], place: string): Recorded[]
  /** In today's shape. Throws where one is no event. */
  lifted(events: Recorded[]): Recorded[]
  /** For lists and listeners: an event over 64 KiB may come with its long strings cut, which say so. `read` has it whole. */
  query(query: EventQuery): Promise<Recorded[]>
  deliveries(repository: string | null): Promise<DeliveryRow[]>

  /**
   * Takes the lease if it is free, its holder has certainly ended, or it is still as the taker has `watched` it for its
   * whole time; no clock decides. The fence rises with each new holder. Null: somebody else has it.
   */
  takeLease(request: {
    delivery: string
    worker: string
    host: string
    pid: number
    at: number
    ttlMs: number
    watched?: Watched
  }): Promise<Lease | null>
  renewLease(lease: Lease, at: number, ttlMs: number): Promise<Lease | null>
  releaseLease(lease: Lease): Promise<void>
  leaseOf(delivery: string): Promise<Lease | null>
  /** By a human, when they know that the holder is gone: the next fence is higher, so a zombie stays fenced off. */
  breakLease(delivery: string): Promise<void>

  /** A fold of the first `version` events, to read instead of them. Only a cache: may be absent, never wrong. */
  saveSnapshot(delivery: string, version: number, shape: string, state: string): Promise<void>
  /** The newest one of this shape. */
  loadSnapshot(delivery: string, shape: string): Promise<{ version: number; state: string } | null>

  /**
   * Proofs by (tree, command, environment key); filled from `Judged` in the append's own transaction. What is kept for
   * looking them up is worth nothing by itself: a proof is what the chain of its delivery has at the place it names.
   */
  findProof(key: ProofKey): Promise<StoredProof | null>
  /** Spent over all deliveries on a calendar day (from `TurnSpent`), as `YYYY-MM-DD` in UTC. */
  spentOn(day: string): Promise<Spending>

  /** When a service last told how long it refuses turns (from `AgentRefused`). Null model: the agent as a whole. */
  refusalOf(account: string, model: string | null): Promise<StoredRefusal | null>

  /** A listener's durable place in the global order. */
  cursor(listener: string): Promise<number>
  moveCursor(listener: string, position: number): Promise<void>

  verify(delivery: string): Promise<ChainReport>
  /**
   * A whole exported delivery under its own id, and after it `mark`, which says so; refused when it exists or its chain
   * is broken. Nothing of it counts elsewhere: neither its proofs nor what it has spent, nor what services told it.
   */
  takeIn(events: Recorded[], mark: Fresh): Promise<void>
  close(): Promise<void>
}

export type ProofKey = Record<'repository' | 'tree' | 'command' | 'environmentKey', string>

export type StoredRefusal = { since: number; until: number } & Pick<
  Extract<DeliveryEvent, { type: 'AgentRefused' }>,
  'kind' | 'message' | 'remedy'
>

export type StoredProof = Pick<Recorded, 'delivery' | 'version'> &
  Pick<Proof, 'durationMs' | 'outputDigest' | 'counts' | 'byExitCode'>

/** How one process tells another that a delivery's log has grown. A lost wake-up costs time, never truth. */
export interface Wake {
  /** Tells whoever drives or watches this delivery. Never throws. */
  ring(delivery: string): void
  /** Calls back on each ring, from this process or another, until the returned function is called. */
  listen(delivery: string, heard: () => void): () => void
}
