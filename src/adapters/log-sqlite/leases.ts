import { hostname } from 'node:os'
import { nothing, type Spending } from '../../delivery/money/ledger.ts'
import type { Append, EventLog, Lease, SlotChange } from '../../ports/event-log.ts'
import { never } from '../../std/never.ts'
import { canBeSeen, hasEnded, ownIdentity } from '../../std/running.ts'
import type { Connection } from './connection.ts'

type Request = Parameters<EventLog['takeLease']>[0]

export function takeLease(connection: Connection, request: Request): Lease | null {
  const { delivery, worker, host, pid, at, ttlMs, watched } = request
  return connection.transaction(() => {
    const row = find(connection, delivery)
    const isAsWatched = row?.fence === watched?.fence && row?.expiresAt === watched?.expiresAt
    if (row !== null && row.worker !== null && !hasEnded(row.holder) && !isAsWatched) return null
    const holder = `${host === hostname() ? ownIdentity(pid) : nowhere} ${ttlMs}`
    const fence = (row?.fence ?? 0) + 1
    const values = [delivery, fence, worker, at + ttlMs, host, pid, holder]
    connection.run('INSERT OR REPLACE INTO leases VALUES(?, ?, ?, ?, ?, ?, ?)', ...values)
    dropSlots(connection, delivery)
    return leaseIn(delivery, worker, { fence, expiresAt: at + ttlMs, host, pid, holder })
  })
}

export function renewLease(connection: Connection, lease: Lease, expiresAt: number): Lease | null {
  const sql = 'UPDATE leases SET expiresAt = ? WHERE delivery = ? AND fence = ? AND worker = ? RETURNING fence'
  const renewed = connection.get(sql, expiresAt, lease.delivery, lease.fence, lease.worker)
  return renewed === undefined ? null : { ...lease, expiresAt }
}

export function releaseLease(connection: Connection, lease: Lease): void {
  connection.transaction(() => {
    if (find(connection, lease.delivery)?.fence === lease.fence) free(connection, lease.delivery)
  })
}

/** Nobody, also when the process that held it has ended without a word. */
export function leaseOf(connection: Connection, delivery: string): Lease | null {
  const row = find(connection, delivery)
  return row?.worker == null || hasEnded(row.holder) ? null : leaseIn(delivery, row.worker, row)
}

export function breakLease(connection: Connection, delivery: string): void {
  connection.transaction(() => free(connection, delivery))
}

interface Held {
  fence: number
  expiresAt: number
  host: string
  pid: number
  /** Who the process is, and the time to live: `<identity> <ttlMs>`. */
  holder: string
}

const nowhere = '- - - - -'

const leaseIn = (delivery: string, worker: string, { fence, expiresAt, host, pid, holder }: Held): Lease => ({
  ...{ delivery, worker, fence, expiresAt, host, pid },
  ttlMs: Number(holder.split(' ')[5]),
  beside: !hasEnded(holder) && canBeSeen(holder),
})

/** Null worker: it is free; the row stays, so that the fence can only rise. */
function find(connection: Connection, delivery: string): (Held & { worker: string | null }) | null {
  const sql = 'SELECT fence, worker, expiresAt, host, pid, born FROM leases WHERE delivery = ?'
  const row = connection.get<[number, string | null, number, string, number, string]>(sql, delivery)
  if (row === undefined) return null
  const [fence, worker, expiresAt, host, pid, holder] = row
  return { fence, worker, expiresAt, host, pid, holder }
}

function free(connection: Connection, delivery: string): void {
  connection.run('UPDATE leases SET worker = NULL WHERE delivery = ?', delivery)
  dropSlots(connection, delivery)
}

/** A delivery that nobody drives any more holds no slots. */
function dropSlots(connection: Connection, delivery: string): void {
  connection.run('DELETE FROM slots WHERE delivery = ?', delivery)
}

/** Gives and takes in order; the kind that is full, or null. Only in a transaction that is dropped when it is full. */
export function changeSlots(connection: Connection, batch: Append): string | null {
  const taker = { delivery: batch.delivery, at: batch.events.at(-1)?.at ?? Date.now() }
  for (const change of batch.slots) {
    const full = changeSlot(connection, change, taker)
    if (full !== null) return full
  }
  return null
}

type Taker = { delivery: string; at: number }

function changeSlot(connection: Connection, change: SlotChange, taker: Taker): string | null {
  switch (change.change) {
    case 'give':
      connection.run('DELETE FROM slots WHERE delivery = ? AND holder = ?', taker.delivery, change.holder)
      return null
    case 'take': {
      const { kind, holder, limit } = change
      if (others(connection, { kind, holder }, taker).length >= limit) return kind
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
  const reserved = others(connection, { kind: 'money', holder }, taker)
  return reserved.reduce((sum, other) => sum + other, spentOn(connection, day).usd + usd) <= ceilingUsd
}

/** What every other slot of the kind has reserved, of deliveries whose lease is alive. */
function others(connection: Connection, { kind, holder }: Slot, { delivery, at }: Taker): number[] {
  const sql = `SELECT l.born, s.usd FROM slots AS s JOIN leases AS l USING(delivery)
    WHERE s.kind = ? AND l.worker IS NOT NULL AND l.expiresAt > ? AND NOT (s.delivery = ? AND s.holder = ?)`
  const rows = connection.all<[string, number]>(sql, kind, at, delivery, holder)
  return rows.flatMap(([born, usd]) => (hasEnded(born) ? [] : [usd]))
}

export function spentOn(connection: Connection, day: string): Spending {
  const row = connection.get<[number, number, number]>('SELECT usd, tokens, ms FROM days WHERE day = ?', day)
  return row === undefined ? nothing : { usd: row[0], tokens: row[1], ms: row[2] }
}
