import type { EventLog, Lease } from '../../src/ports/event-log.ts'
import type { Store } from './store.ts'

type Request = Parameters<EventLog['takeLease']>[0]

export function takeLease(store: Store, request: Request): Lease | null {
  const { delivery, worker, host, pid, at, ttlMs, watched } = request
  store.latest = Math.max(store.latest, at)
  const held = store.leases.get(delivery)
  if (held !== undefined && !held.free && store.isAlive(held.lease) && !isAsWatched(held.lease, watched)) return null
  const fence = (held?.lease.fence ?? 0) + 1
  const lease = { delivery, worker, fence, expiresAt: at + ttlMs, host, pid, ttlMs, beside: true }
  store.leases.set(delivery, { lease, free: false })
  store.slots.delete(delivery)
  return { ...lease }
}

const isAsWatched = ({ fence, expiresAt }: Lease, watched: Request['watched']): boolean =>
  watched?.fence === fence && watched.expiresAt === expiresAt

export function renewLease(store: Store, lease: Lease, expiresAt: number): Lease | null {
  const held = store.leases.get(lease.delivery)
  if (held === undefined || held.free || held.lease.fence !== lease.fence) return null
  held.lease = { ...held.lease, expiresAt }
  return { ...held.lease }
}

export function releaseLease(store: Store, lease: Lease): void {
  if (store.leases.get(lease.delivery)?.lease.fence === lease.fence) breakLease(store, lease.delivery)
}

export function leaseOf(store: Store, delivery: string): Lease | null {
  const held = store.leases.get(delivery)
  return held === undefined || held.free || !store.isAlive(held.lease) ? null : { ...held.lease }
}

export function breakLease(store: Store, delivery: string): void {
  const held = store.leases.get(delivery)
  if (held !== undefined) held.free = true
  store.slots.delete(delivery)
}
