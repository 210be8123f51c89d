import type { Append } from '../../src/ports/event-log.ts'
import { never } from '../../src/std/never.ts'
import type { Slot, Store } from './store.ts'

/** What the delivery holds after the changes, or the kind that is full. Changes nothing itself. */
export function changedSlots(store: Store, batch: Append): { held: Slot[] } | { full: string } {
  const at = batch.events.at(-1)?.at ?? store.latest
  let held = store.slots.get(batch.delivery) ?? []
  for (const change of batch.slots) {
    if (change.change === 'give') {
      held = held.filter(({ holder }) => holder !== change.holder)
      continue
    }
    const slot = slotFor(change)
    const others = held.filter(({ holder, kind }) => holder !== slot.holder || kind !== slot.kind)
    const beside = living(store, { delivery: batch.delivery, held: others, at }).filter(
      ({ kind }) => kind === slot.kind,
    )
    if (isFull(store, change, beside)) return { full: slot.kind }
    held = [...others, slot]
  }
  return { held }
}

type Taking = Exclude<Append['slots'][number], { change: 'give' }>

function slotFor(change: Taking): Slot {
  const { holder } = change
  return change.change === 'take' ? { holder, kind: change.kind, usd: 0 } : { holder, kind: 'money', usd: change.usd }
}

function isFull(store: Store, change: Taking, beside: Slot[]): boolean {
  switch (change.change) {
    case 'take':
      return beside.length >= change.limit
    case 'reserve': {
      const spent = store.days.get(change.day)?.usd ?? 0
      const aside = beside.reduce((sum, { usd }) => sum + usd, change.usd)
      return change.ceilingUsd !== null && spent + aside > change.ceilingUsd
    }
    default:
      return never(change)
  }
}

/** What is held by deliveries that somebody drives. */
function living(store: Store, own: { delivery: string; held: Slot[]; at: number }): Slot[] {
  const all = [...store.slots].filter(([delivery]) => delivery !== own.delivery)
  return [...all, [own.delivery, own.held] as const].flatMap(([delivery, slots]) =>
    isDriven(store, delivery, own.at) ? slots : [],
  )
}

function isDriven(store: Store, delivery: string, at: number): boolean {
  const held = store.leases.get(delivery)
  return held !== undefined && !held.free && held.lease.expiresAt > at && store.isAlive(held.lease)
}
