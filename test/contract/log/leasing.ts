import { describe, expect, it } from 'vitest'
import type { Given } from './given.ts'
import { batch, concern, day, requested } from './samples.ts'

export function leasesDeliveries(given: Given): void {
  describe('lease', () => {
    it('has one holder, until it is released, broken, or was watched without a sign; the fence only rises', async () => {
      const first = await given.lease('d1', 'w1')
      expect(first).toMatchObject({ delivery: 'd1', worker: 'w1', fence: 1, expiresAt: day + 1000 })
      expect(await given.lease('d1', 'w2', { at: day + 999 })).toBeNull()
      expect(first).toMatchObject({ ttlMs: 1000, beside: true })
      expect(await given.log.leaseOf('d1')).toEqual(first)
      expect(await given.lease('d1', 'w2', { at: day + 1000, watched: first! })).toMatchObject({
        worker: 'w2',
        fence: 2,
      })
      expect(await given.log.renewLease(first!, day + 1000, 1000)).toBeNull()
      await given.log.releaseLease(first!)
      const second = await given.log.leaseOf('d1')
      expect(second).toMatchObject({ worker: 'w2' })
      await given.log.releaseLease(second!)
      expect(await given.log.leaseOf('d1')).toBeNull()
      expect(await given.lease('d1', 'w3', { at: day + 1001 })).toMatchObject({ fence: 3 })
      await given.log.breakLease('d1')
      expect(await given.log.leaseOf('d1')).toBeNull()
      expect(await given.lease('d1', 'w4', { at: day + 1002 })).toMatchObject({ fence: 4 })
      expect(await given.lease('d2', 'w4')).toMatchObject({ fence: 1 })
    })

    it('is taken by no clock, however far ahead, and not by one who watched it before its last renewal', async () => {
      const held = (await given.lease('d1', 'w1'))!
      const aheadMs = 86_400_000
      expect(await given.lease('d1', 'w2', { at: day + aheadMs })).toBeNull()
      const renewed = (await given.log.renewLease(held, day + 300, 1000))!
      expect(await given.lease('d1', 'w2', { at: day + aheadMs, watched: held })).toBeNull()
      expect(await given.lease('d1', 'w2', { at: day, watched: renewed })).toMatchObject({ worker: 'w2', fence: 2 })
    })

    it('is renewed by its holder, also after it has lapsed while nobody took it', async () => {
      const held = await given.lease('d1', 'w1')
      const renewed = await given.log.renewLease(held!, day + 5000, 1000)
      expect(renewed).toEqual({ ...held, expiresAt: day + 6000 })
      expect(await given.lease('d1', 'w2', { at: day + 5999 })).toBeNull()
    })

    it('is taken over at once when the process of its holder has ended', async () => {
      const held = await given.lease('d1', 'w1', { at: day, pid: await given.subject.endedPid() })
      expect(held).toMatchObject({ fence: 1 })
      expect(await given.log.leaseOf('d1')).toBeNull()
      expect(await given.lease('d1', 'w2', { at: day + 1 })).toMatchObject({ worker: 'w2', fence: 2 })
    })

    it('fences off whoever does not hold it, and changes nothing then', async () => {
      await given.log.append(batch('d1', 0, [requested('x')]))
      const append = (fence: number) => given.log.append({ ...batch('d1', 1, [concern('a')]), fence })
      expect(await append(1)).toEqual({ status: 'fenced' })
      const held = await given.lease('d1', 'w1')
      expect(await append(2)).toEqual({ status: 'fenced' })
      await given.lease('d1', 'w2', { at: day + 2000, watched: held! })
      expect(await append(held!.fence)).toEqual({ status: 'fenced' })
      await given.log.breakLease('d1')
      expect(await append(2)).toEqual({ status: 'fenced' })
      expect(await given.log.read('d1', 0)).toHaveLength(1)
      const last = await given.lease('d1', 'w3', { at: day + 2001 })
      expect(await append(last!.fence)).toMatchObject({ status: 'appended' })
    })

    it('lets intents in without a lease', async () => {
      await given.log.append(batch('d1', 0, [requested('x')]))
      await given.lease('d1', 'w1')
      expect(await given.log.append(batch('d1', 1, [concern('a')]))).toMatchObject({ status: 'appended' })
    })
  })
}
