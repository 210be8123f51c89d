import { describe, expect, it } from 'vitest'
import { genesis, schemaNumber } from '../../../src/adapters/log-sqlite/record.ts'
import { TerminalError } from '../../../src/ports/errors.ts'
import type { Given } from './given.ts'
import { batch, concern, day, judged, requested, spent } from './samples.ts'

const repository = { id: 'repo-here', path: '/tmp/here' }
const mark = {
  at: day,
  actor: 'eve',
  cause: 'import',
  event: { type: 'DeliveryImported', repository, by: 'eve' },
} as const

export function keepsItsChain(given: Given): void {
  describe('the chain', () => {
    it('is verified to its head', async () => {
      await given.log.append(batch('d1', 0, [requested('x'), concern('a')]))
      const [, last] = await given.log.read('d1', 0)
      expect(await given.log.verify('d1')).toEqual({ status: 'intact', events: 2, head: last!.hash })
      expect(await given.log.verify('nobody')).toEqual({ status: 'intact', events: 0, head: genesis })
    })

    it('goes with an exported delivery into another log, with a mark behind it, and on from there', async () => {
      await given.log.append(batch('d0', 0, [requested('w')]))
      await given.log.append(batch('d1', 0, [requested('x'), judged({ tree: 't1', reused: false }), spent(2, 's1')]))
      const exported = JSON.parse(JSON.stringify(await given.log.written('d1')))
      const other = await given.make()
      const there = await other.open()
      await there.takeIn(exported, mark)
      const taken = await there.read('d1', 0)
      expect(taken.slice(0, 3).map(({ hash }) => hash)).toEqual(exported.map(({ hash }: { hash: string }) => hash))
      expect(taken.map(({ position }) => position)).toEqual([1, 2, 3, 4])
      expect(taken.at(-1)).toMatchObject({ version: 4, actor: 'eve', event: mark.event })
      expect(await there.deliveries('repo-here')).toMatchObject([{ delivery: 'd1', version: 4, title: 'x' }])
      expect(await there.append(batch('d1', 4, [concern('more')]))).toMatchObject({ status: 'appended' })
      expect(await there.verify('d1')).toMatchObject({ status: 'intact', events: 5 })
      await expect(there.takeIn(exported, mark)).rejects.toThrow(/here already/)
      await there.close()
      await other.close()
    })

    it('proves and costs nothing where it was taken in', async () => {
      const proof = judged({ tree: 't1', reused: false })
      await given.log.append(batch('d1', 0, [requested('x', 'repo-here'), proof, spent(2, 's1')]))
      const exported = await given.log.written('d1')
      const key = { repository: 'repo-here', tree: 't1', command: 'npm test', environmentKey: 'e' }
      expect(await given.log.findProof(key)).toMatchObject({ delivery: 'd1' })
      const other = await given.make()
      const there = await other.open()
      await there.takeIn(exported, mark)
      expect(await there.findProof(key)).toBeNull()
      expect(await there.spentOn('2026-05-10')).toMatchObject({ usd: 0 })
      await there.append(batch('d1', 4, [proof]))
      expect(await there.findProof(key)).toMatchObject({ delivery: 'd1', version: 5 })
      await there.close()
      await other.close()
    })

    it('refuses to take in what was changed, cut out, mixed up or written by a newer ropewalk', async () => {
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
      for (const changed of changes) await expect(there.takeIn(changed, mark)).rejects.toBeInstanceOf(TerminalError)
      await expect(there.takeIn([{ ...one, schema: schemaNumber + 1 }], mark)).rejects.toThrow(/newer ropewalk/)
      expect(await there.deliveries(null)).toEqual([])
      await there.close()
      await other.close()
    })
  })
}
