import { hostname } from 'node:os'
import type { Append, SlotChange } from '../../ports/event-log.ts'
import { never } from '../../std/never.ts'
import type { Connection } from './connection.ts'
import { isGone } from './process.ts'

/** Gives and takes in order; the kind that is full, or null. Only in a transaction that is dropped when it is full. */
export function changeSlots(connection: Connection, batch: Append): string | null {
  const taker = { delivery: batch.delivery, at: batch.events.at(-1)?.at ?? Date.now() }
  for (const change of batch.slots) {
    const full = changeSlot(connection, change, taker)
    if (full !== null) return full
  }
  return null
}

/** A delivery that nobody drives any more holds no slots. */
export function dropSlots(connection: Connection, delivery: string): void {
  connection.run('DELETE FROM slots WHERE delivery = ?', delivery)
}

type Taker = { delivery: string; at: number }

function changeSlot(connection: Connection, change: SlotChange, taker: Taker): string | null {
  switch (change.change) {
    case 'give':
      connection.run('DELETE FROM slots WHERE delivery = ? AND holder = ?', taker.delivery, change.holder)
      return null
    case 'take':
      if (othersAlive(connection, change, taker) >= change.limit) return change.kind
      connection.run('INSERT OR IGNORE INTO slots VALUES(?, ?, ?)', taker.delivery, change.holder, change.kind)
      return null
    default:
      return never(change)
  }
}

function othersAlive(connection: Connection, change: SlotChange & { change: 'take' }, taker: Taker): number {
  const sql = `SELECT l.host, l.pid, l.born FROM slots AS s JOIN leases AS l USING(delivery)
    WHERE s.kind = ? AND l.worker IS NOT NULL AND l.expiresAt > ? AND NOT (s.delivery = ? AND s.holder = ?)`
  const holders = connection.all<[string, number, string | null]>(
    sql,
    change.kind,
    taker.at,
    taker.delivery,
    change.holder,
  )
  if (holders.length < change.limit) return holders.length
  return holders.filter(([host, pid, born]) => host !== hostname() || !isGone(pid, born)).length
}
