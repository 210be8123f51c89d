import { hostname } from 'node:os'
import type { EventLog, Lease } from '../../ports/event-log.ts'
import { bornAt, isGone } from '../../std/process.ts'
import type { Connection } from './connection.ts'
import { dropSlots } from './slots.ts'

type Request = Parameters<EventLog['takeLease']>[0]

export function takeLease(connection: Connection, request: Request): Lease | null {
  const { delivery, worker, host, pid, at, ttlMs } = request
  return connection.transaction(() => {
    const row = find(connection, delivery)
    if (row !== null && isHeld(row, at, host)) return null
    const lease = { delivery, worker, fence: (row?.fence ?? 0) + 1, expiresAt: at + ttlMs, host, pid }
    const values = [delivery, lease.fence, worker, lease.expiresAt, host, pid, bornAt(pid)]
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
  if (row?.worker == null || (row.host === hostname() && isGone(row.pid, row.born))) return null
  const { worker, fence, expiresAt, host, pid } = row
  return { delivery, worker, fence, expiresAt, host, pid }
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
  born: string | null
}

function find(connection: Connection, delivery: string): Row | null {
  const sql = 'SELECT fence, worker, expiresAt, host, pid, born FROM leases WHERE delivery = ?'
  const row = connection.get<[number, string | null, number, string, number, string | null]>(sql, delivery)
  if (row === undefined) return null
  const [fence, worker, expiresAt, host, pid, born] = row
  return { fence, worker, expiresAt, host, pid, born }
}

function isHeld({ worker, expiresAt, host, pid, born }: Row, at: number, here: string): boolean {
  return worker !== null && expiresAt > at && !(host === here && isGone(pid, born))
}

function free(connection: Connection, delivery: string): void {
  connection.run('UPDATE leases SET worker = NULL WHERE delivery = ?', delivery)
  dropSlots(connection, delivery)
}
