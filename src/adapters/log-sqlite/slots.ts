import { hostname } from 'node:os'
import type { Append, SlotChange } from '../../ports/event-log.ts'
import { never } from '../../std/never.ts'
import { canBeSeen, hasEnded, ownIdentity } from '../../std/running/identity.ts'
import { isGone } from '../../std/running/process.ts'
import type { Connection } from './connection.ts'
import { spentOn } from './write.ts'

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
    case 'take': {
      const { kind, holder, limit } = change
      const others = listed(connection, { kind, holder }, taker)
      if (others.length >= limit && others.filter(isAlive).length >= limit) return kind
      return put(connection, { kind, holder, usd: 0 }, taker)
    }
    case 'reserve':
      if (!fits(connection, change, taker)) return 'money'
      return put(connection, { kind: 'money', holder: change.holder, usd: change.usd }, taker)
    default:
      return never(change)
  }
}

type Slot = { kind: string; holder: string }

/** Null, as it is not full. */
function put(connection: Connection, { kind, holder, usd }: Slot & { usd: number }, { delivery }: Taker): null {
  connection.run('INSERT OR REPLACE INTO slots VALUES(?, ?, ?, ?)', delivery, holder, kind, usd)
  return null
}

function fits(connection: Connection, change: SlotChange & { change: 'reserve' }, taker: Taker): boolean {
  const { holder, usd, day, ceilingUsd } = change
  if (ceilingUsd === null) return true
  const others = listed(connection, { kind: 'money', holder }, taker).filter(isAlive)
  return spentOn(connection, day).usd + others.reduce((sum, other) => sum + other.usd, usd) <= ceilingUsd
}

interface Listed extends Holder {
  usd: number
}

/** Every other slot of the kind whose lease has not lapsed. */
function listed(connection: Connection, { kind, holder }: Slot, { delivery, at }: Taker): Listed[] {
  const sql = `SELECT l.host, l.pid, l.born, s.usd FROM slots AS s JOIN leases AS l USING(delivery)
    WHERE s.kind = ? AND l.worker IS NOT NULL AND l.expiresAt > ? AND NOT (s.delivery = ? AND s.holder = ?)`
  const rows = connection.all<[string, number, string | null, number]>(sql, kind, at, delivery, holder)
  return rows.map(([host, pid, born, usd]) => ({ host, pid, born, usd }))
}

const isAlive = (listed: Listed): boolean => !hasGone(listed)

/** Who holds a lease, as its row says it: `<identity> <ttlMs>`; rows of earlier versions have only when it was born. */
interface Holder {
  host: string
  pid: number
  born: string | null
}

const nowhere = '- - - - -'
const usualMs = 30_000

export const holderOf = ({ host, pid, ttlMs }: { host: string; pid: number; ttlMs: number }): string =>
  `${host === hostname() ? ownIdentity(pid) : nowhere} ${ttlMs}`

/** Certainly: one that cannot be seen from here may be alive. */
export function hasGone({ host, pid, born }: Holder): boolean {
  return isPlain(born) ? host === hostname() && isGone(pid, born) : hasEnded(born!)
}

export const isBeside = (holder: Holder): boolean =>
  !hasGone(holder) && (isPlain(holder.born) ? holder.host === hostname() : canBeSeen(holder.born!))

export const ttlOf = ({ born }: Holder): number => (isPlain(born) ? usualMs : Number(born!.split(' ')[5]))

const isPlain = (born: string | null): boolean => born === null || !born.includes(' ')
