import { describe, expect, it } from 'vitest'
import { TerminalError } from '../../../src/ports/errors.ts'
import { genesis } from '../../../src/ports/log/chain.ts'
import { schemaNumber } from '../../../src/ports/log/lift.ts'
import type { Given } from './given.ts'
import { batch, concern, judged, requested, spent } from './samples.ts'

export function keepsItsChain(given: Given): void {
  describe('the chain', () => {
    it('is verified to its head', async () => {
      await given.log.append(batch('d1', 0, [requested('x'), concern('a')]))
      const [, last] = await given.log.read('d1', 0)
      expect(await given.log.verify('d1')).toEqual({ status: 'intact', events: 2, head: last!.hash })
      expect(await given.log.verify('nobody')).toEqual({ status: 'intact', events: 0, head: genesis })
    })

    it('goes with an exported delivery into another log, with its facts, and on from there', async () => {
      await given.log.append(batch('d0', 0, [requested('w')]))
      await given.log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false }), spent(2, 's1')]))
      const exported = JSON.parse(JSON.stringify(await given.log.read('d1', 0)))
      const other = await given.make()
      const there = await other.open()
      await there.adopt(exported)
      const adopted = await there.read('d1', 0)
      expect(adopted.map(({ hash }) => hash)).toEqual(exported.map(({ hash }: { hash: string }) => hash))
      expect(adopted.map(({ position }) => position)).toEqual([1, 2, 3])
      expect(await there.spentOn('2026-05-10')).toEqual({ usd: 2, tokens: 2, ms: 1 })
      expect(await there.deliveries('repo-1')).toMatchObject([{ delivery: 'd1', version: 3, title: 'x' }])
      expect(await there.append(batch('d1', 3, [concern('more')]))).toMatchObject({ status: 'appended' })
      expect(await there.verify('d1')).toMatchObject({ status: 'intact', events: 4 })
      await expect(there.adopt(exported)).rejects.toThrow(/here already/)
      await there.close()
      await other.close()
    })

    it('refuses to adopt what was changed, cut out, mixed up or written by a newer ropewalk', async () => {
      await given.log.append(batch('d1', 0, [requested('x'), concern('a'), concern('b')]))
      const events = await given.log.read('d1', 0)
      const other = await given.make()
      const there = await other.open()
      const [one, two, three] = [events[0]!, events[1]!, events[2]!]
      const changes = [
        [one, { ...two, event: concern('changed') }, three],
        [one, { ...two, actor: 'mallory' }, three],
        [one, three],
        [two, three],
        [two, one],
        [one, { ...two, delivery: 'd2' }, three],
      ]
      for (const changed of changes) await expect(there.adopt(changed)).rejects.toBeInstanceOf(TerminalError)
      await expect(there.adopt([{ ...one, schema: schemaNumber + 1 }])).rejects.toThrow(/newer ropewalk/)
      expect(await there.deliveries(null)).toEqual([])
      await there.close()
      await other.close()
    })
  })
}
