import type { Append, SlotChange } from '../../ports/event-log.ts'
import { never } from '../../std/never.ts'
import type { Slot, Store } from './store.ts'

/** What the delivery holds after the changes, or the kind that is full. Changes nothing itself. */
export function changedSlots(store: Store, batch: Append): { held: Slot[] } | { full: string } {
  const at = batch.events.at(-1)?.at ?? store.latest
  let held = store.slots.get(batch.delivery) ?? []
  for (const change of batch.slots) {
    switch (change.change) {
      case 'give':
        held = held.filter(({ holder }) => holder !== change.holder)
        break
      case 'take': {
        const others = held.filter((slot) => !isSame(slot, change))
        const own = isDriven(store, batch.delivery, at) ? ofKind(others, change.kind) : 0
        if (own + elsewhere(store, batch.delivery, { kind: change.kind, at }) >= change.limit)
          return { full: change.kind }
        held = [...others, { holder: change.holder, kind: change.kind }]
        break
      }
      default:
        never(change)
    }
  }
  return { held }
}

const isSame = (slot: Slot, change: SlotChange & { change: 'take' }): boolean =>
  slot.holder === change.holder && slot.kind === change.kind

const ofKind = (slots: Slot[], kind: string): number => slots.filter((slot) => slot.kind === kind).length

function elsewhere(store: Store, delivery: string, { kind, at }: { kind: string; at: number }): number {
  let count = 0
  for (const [other, slots] of store.slots)
    if (other !== delivery && isDriven(store, other, at)) count += ofKind(slots, kind)
  return count
}

function isDriven(store: Store, delivery: string, at: number): boolean {
  const held = store.leases.get(delivery)
  return held !== undefined && !held.free && held.lease.expiresAt > at && store.isAlive(held.lease)
}
