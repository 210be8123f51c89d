import type { EventType } from '../../src/delivery/events.ts'
import type { Spending } from '../../src/delivery/money/ledger.ts'
import type { DeliveryRow, Lease, ProofKey, StoredRefusal } from '../../src/ports/event-log.ts'

export interface Entry {
  position: number
  delivery: string
  type: EventType
  story: string | null
  hash: string
  /** Envelope and event, as the hash covers them. */
  text: string
}

export interface Chain {
  row: DeliveryRow
  entries: Entry[]
}

/** A lease that is free stays, so that the fence can only rise. */
export type Held = { lease: Lease; free: boolean }

export interface Store {
  /** In the order of positions, which start at 1. */
  entries: Entry[]
  chains: Map<string, Chain>
  leases: Map<string, Held>
  /** Per delivery: what its driver holds. */
  slots: Map<string, Slot[]>
  /** Where in which chain they are. */
  proofs: Map<string, { delivery: string; version: number }>
  days: Map<string, Spending>
  refusals: Map<string, StoredRefusal>
  /** The latest time anybody has told. */
  latest: number
  isAlive: (lease: Lease) => boolean
}

export interface Slot {
  holder: string
  kind: string
  /** Set aside; 0 for what is no money. */
  usd: number
}

export function emptyStore(isAlive: (lease: Lease) => boolean): Store {
  return {
    entries: [],
    chains: new Map(),
    leases: new Map(),
    slots: new Map(),
    proofs: new Map(),
    days: new Map(),
    refusals: new Map(),
    latest: 0,
    isAlive,
  }
}

export const refusalKey = (account: string, model: string | null): string => JSON.stringify([account, model])

export function proofKey(key: ProofKey): string {
  return JSON.stringify([key.repository, key.tree, key.command, key.environmentKey])
}
