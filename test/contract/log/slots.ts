import { beforeEach, describe, expect, it } from 'vitest'
import type { Append, Appended } from '../../../src/ports/event-log.ts'
import type { Given } from './given.ts'
import { batch, concern, day, requested, spent } from './samples.ts'

export function countsSlots(given: Given): void {
  describe('slots', () => {
    beforeEach(async () => {
      for (const delivery of ['d1', 'd2', 'd3']) await given.lease(delivery, delivery)
    })

    it('are counted over all deliveries, by kind, and an append that finds none changes nothing', async () => {
      expect(await take(given, 'd1/a')).toBe('appended')
      expect(await take(given, 'd2/a')).toBe('appended')
      expect(await take(given, 'd3/a')).toBe('full')
      expect(await given.log.read('d3', 0)).toEqual([])
      expect(await take(given, 'd3/a', { kind: 'checks' })).toBe('appended')
      expect(await take(given, 'd3/b', { limit: 3 })).toBe('appended')
    })

    it('are not counted twice for one holder', async () => {
      expect(await take(given, 'd1/a', { limit: 1 })).toBe('appended')
      expect(await take(given, 'd1/a', { limit: 1 })).toBe('appended')
      expect(await take(given, 'd1/b', { limit: 1 })).toBe('full')
    })

    it('come back when they are given', async () => {
      await take(given, 'd1/a', { limit: 1 })
      expect(await give(given, 'd1', 'a')).toEqual({ status: 'appended', recorded: [] })
      expect(await take(given, 'd2/a', { limit: 1 })).toBe('appended')
    })

    it('are all or nothing within one append', async () => {
      const slots: Append['slots'] = [
        { change: 'take', kind: 'agents', holder: 'a', limit: 1 },
        { change: 'take', kind: 'agents', holder: 'b', limit: 1 },
      ]
      const refused = await given.log.append({ ...batch('d1', 0, [requested('x')]), fence: 1, slots })
      expect(refused).toEqual({ status: 'full', kind: 'agents' })
      expect(await take(given, 'd2/a', { limit: 1 })).toBe('appended')
    })

    it('come back when the lease is released, broken, lapsed or taken over', async () => {
      const limit = 1
      await take(given, 'd1/a', { limit })
      await given.log.releaseLease((await given.log.leaseOf('d1'))!)
      expect(await take(given, 'd2/a', { limit })).toBe('appended')
      await given.log.breakLease('d2')
      expect(await take(given, 'd3/a', { limit })).toBe('appended')
      await given.lease('d1', 'later', { at: day + 1000 })
      expect(await take(given, 'd1/b', { limit, at: day + 1000 })).toBe('appended')
      await given.lease('d1', 'latest', { at: day + 2000, watched: (await given.log.leaseOf('d1'))! })
      await given.lease('d2', 'latest', { at: day + 2000 })
      expect(await take(given, 'd2/b', { limit, at: day + 2000 })).toBe('appended')
    })

    it('are not held by a process that has ended', async () => {
      await given.lease('d4', 'd4', { at: day, pid: await given.subject.endedPid() })
      const slots: Append['slots'] = [{ change: 'take', kind: 'agents', holder: 'a', limit: 1 }]
      await given.log.append({ ...batch('d4', 0, [requested('x')]), fence: 1, slots })
      expect(await take(given, 'd1/a', { limit: 1 })).toBe('appended')
    })
  })
}

export function setsMoneyAside(given: Given): void {
  describe('money set aside', () => {
    beforeEach(async () => {
      for (const delivery of ['d1', 'd2', 'd3']) await given.lease(delivery, delivery)
    })

    it('counts over all deliveries until it is given back, and an append that finds no room changes nothing', async () => {
      expect(await reserve(given, 'd1/a', { usd: 2 })).toBe('appended')
      expect(await reserve(given, 'd1/b', { usd: 1 })).toBe('appended')
      expect(await reserve(given, 'd2/a', { usd: 3 })).toBe('full')
      expect(await given.log.read('d2', 0)).toEqual([])
      expect(await reserve(given, 'd2/a', { usd: 2 })).toBe('appended')
      expect(await reserve(given, 'd3/a', { usd: 0.5 })).toBe('full')
      await give(given, 'd1', 'b')
      expect(await reserve(given, 'd3/a', { usd: 0.5 })).toBe('appended')
    })

    it('stands beside what the day has cost', async () => {
      await given.log.append(batch('d4', 0, [requested('x'), spent(3, null)]))
      expect(await reserve(given, 'd1/a', { usd: 2.5 })).toBe('full')
      expect(await reserve(given, 'd1/a', { usd: 2.5, on: '2026-05-11' })).toBe('appended')
    })

    it('is kept without a ceiling too, and not counted twice for one holder', async () => {
      expect(await reserve(given, 'd1/a', { usd: 9, ceilingUsd: null })).toBe('appended')
      expect(await reserve(given, 'd2/a', { usd: 1 })).toBe('full')
      expect(await reserve(given, 'd1/a', { usd: 4 })).toBe('appended')
      expect(await reserve(given, 'd2/a', { usd: 1 })).toBe('appended')
    })

    it('comes back when the lease does, or its process has ended', async () => {
      await reserve(given, 'd1/a', { usd: 5 })
      await given.log.breakLease('d1')
      expect(await reserve(given, 'd2/a', { usd: 5 })).toBe('appended')
      await given.log.breakLease('d2')
      await given.lease('d5', 'd5', { at: day, pid: await given.subject.endedPid() })
      const slots: Append['slots'] = [{ change: 'reserve', holder: 'a', usd: 5, day: '2026-05-10', ceilingUsd: 5 }]
      await given.log.append({ ...batch('d5', 0, [requested('x')]), fence: 1, slots })
      expect(await reserve(given, 'd3/a', { usd: 5 })).toBe('appended')
    })
  })
}

async function reserve(
  { log }: Given,
  by: string,
  { usd, ceilingUsd = 5, on = '2026-05-10' }: { usd: number; ceilingUsd?: number | null; on?: string },
): Promise<string> {
  const [delivery = '', holder = ''] = by.split('/')
  const fence = (await log.leaseOf(delivery))?.fence ?? null
  const version = (await log.read(delivery, 0)).length
  const events = [{ at: day, actor: 'engine', cause: null, event: concern(holder) }]
  const slots: Append['slots'] = [{ change: 'reserve', holder, usd, day: on, ceilingUsd }]
  return (await log.append({ delivery, expected: version, events, fence, slots })).status
}

async function take({ log }: Given, by: string, { limit = 2, kind = 'agents', at = day } = {}): Promise<string> {
  const [delivery = '', holder = ''] = by.split('/')
  const fence = (await log.leaseOf(delivery))?.fence ?? null
  const version = (await log.read(delivery, 0)).length
  const events = [{ at, actor: 'engine', cause: null, event: concern(holder) }]
  const slots: Append['slots'] = [{ change: 'take', kind, holder, limit }]
  return (await log.append({ delivery, expected: version, events, fence, slots })).status
}

async function give({ log }: Given, delivery: string, holder: string): Promise<Appended> {
  const fence = (await log.leaseOf(delivery))!.fence
  const version = (await log.read(delivery, 0)).length
  return log.append({ delivery, expected: version, events: [], fence, slots: [{ change: 'give', holder }] })
}
