import type { EventLog, Lease } from '../../ports/event-log.ts'
import type { Connection } from './connection.ts'
import { dropSlots, hasGone, holderOf, isBeside, ttlOf } from './slots.ts'

type Request = Parameters<EventLog['takeLease']>[0]

export function takeLease(connection: Connection, request: Request): Lease | null {
  const { delivery, worker, host, pid, at, ttlMs, watched } = request
  return connection.transaction(() => {
    const row = find(connection, delivery)
    const isAsWatched = row?.fence === watched?.fence && row?.expiresAt === watched?.expiresAt
    if (row !== null && row.worker !== null && !hasGone(row) && !isAsWatched) return null
    const holder = holderOf({ host, pid, ttlMs })
    const fence = (row?.fence ?? 0) + 1
    const beside = isBeside({ host, pid, born: holder })
    const lease = { delivery, worker, fence, expiresAt: at + ttlMs, host, pid, ttlMs, beside }
    const values = [delivery, fence, worker, lease.expiresAt, host, pid, holder]
    connection.run('INSERT OR REPLACE INTO leases VALUES(?, ?, ?, ?, ?, ?, ?)', ...values)
    dropSlots(connection, delivery)
    return lease
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
  if (row?.worker == null || hasGone(row)) return null
  const { worker, fence, expiresAt, host, pid } = row
  return { delivery, worker, fence, expiresAt, host, pid, ttlMs: ttlOf(row), beside: isBeside(row) }
}

export function breakLease(connection: Connection, delivery: string): void {
  connection.transaction(() => free(connection, delivery))
}

interface Row {
  fence: number
  /** Null when it is free; the row stays, so that the fence can only rise. */
  worker: string | null
  expiresAt: number
  host: string
  pid: number
  /** Who the process is, and the time to live; of earlier versions only when it was born. */
  born: string | null
}

function find(connection: Connection, delivery: string): Row | null {
  const sql = 'SELECT fence, worker, expiresAt, host, pid, born FROM leases WHERE delivery = ?'
  const row = connection.get<[number, string | null, number, string, number, string | null]>(sql, delivery)
  if (row === undefined) return null
  const [fence, worker, expiresAt, host, pid, born] = row
  return { fence, worker, expiresAt, host, pid, born }
}

function free(connection: Connection, delivery: string): void {
  connection.run('UPDATE leases SET worker = NULL WHERE delivery = ?', delivery)
  dropSlots(connection, delivery)
}
