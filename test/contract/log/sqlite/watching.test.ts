import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileBlobs } from '../../../../src/adapters/blobs-files/blobs.ts'
import { systemClock } from '../../../../src/adapters/clock-system/clock.ts'
import { openSqliteLog } from '../../../../src/adapters/log-sqlite/log.ts'
import { obtainLease } from '../../../../src/engine/lease.ts'
import type { Clock } from '../../../../src/ports/clock.ts'
import type { EventLog, Lease } from '../../../../src/ports/event-log.ts'
import { canBeSeen, hasEnded, ownIdentity } from '../../../../src/std/running.ts'

let home: string
let log: EventLog
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'ropewalk-watch-'))
  log = await openSqliteLog(home, fileBlobs(home))
})
afterEach(async () => {
  await log.close()
  rmSync(home, { recursive: true, force: true })
})

const ttlMs = 600
const clock = systemClock()
const held = async (host: string): Promise<Lease> =>
  (await log.takeLease({ delivery: 'd', worker: 'w1', host, pid: process.pid, at: Date.now(), ttlMs }))!
const taker = { delivery: 'd', worker: 'w2', host: hostname(), pid: process.pid, ttlMs }
const ahead: Clock = {
  now: () => Date.now() + 120_000,
  until: (at, signal) => clock.until(at - 120_000, signal),
}

describe('a lease whose holder nobody here can see', () => {
  it('is taken once it was watched for its whole time without a sign, and not before', async () => {
    const lease = await held('elsewhere')
    expect(lease.beside).toBe(false)
    const waits: number[] = []
    const counted: Clock = {
      now: clock.now,
      until(at, signal) {
        waits.push(at - clock.now())
        return clock.until(at, signal)
      },
    }
    expect(await obtainLease({ log, clock: counted }, taker)).toMatchObject({ worker: 'w2', fence: 2 })
    expect(waits.length).toBeGreaterThan(1)
    expect(Math.ceil(waits.reduce((sum, ms) => sum + ms, waits.length))).toBeGreaterThanOrEqual(ttlMs)
  })

  it.each<[string, string, Clock]>([
    ['elsewhere', 'elsewhere', clock],
    ['elsewhere, by a clock that is ahead', 'elsewhere', ahead],
    ['beside us, by a clock that is ahead', hostname(), ahead],
  ])('and that is renewed is not taken: %s', async (_name, host, taking) => {
    const lease = await held(host)
    const renewing = setInterval(() => void log.renewLease(lease, Date.now(), ttlMs), ttlMs / 3)
    expect(await obtainLease({ log, clock: taking }, taker)).toBeNull()
    clearInterval(renewing)
    expect(await log.leaseOf('d')).toMatchObject({ worker: 'w1', fence: 1 })
  })
})

describe('who a process is', () => {
  const [pid, born, namespace, boot, machine] = ownIdentity().split(' ')
  it.each<[string, (string | undefined)[], { seen: boolean; ended: boolean }]>([
    ['this one', [pid, born, namespace, boot, machine], { seen: true, ended: false }],
    ['another with its pid', [pid, '1', namespace, boot, machine], { seen: true, ended: true }],
    ['in another namespace', [pid, '1', 'pid:[1]', boot, machine], { seen: false, ended: false }],
    ['on another machine', [pid, '1', namespace, boot, 'other'], { seen: false, ended: false }],
    [
      'in a container, before a reboot of some machine',
      [pid, '1', 'pid:[1]', 'other', machine],
      { seen: false, ended: false },
    ],
  ])('%s', (_name, parts, { seen, ended }) => {
    expect([canBeSeen(parts.join(' ')), hasEnded(parts.join(' '))]).toEqual([seen, ended])
  })
})
