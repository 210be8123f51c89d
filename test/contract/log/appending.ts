import { describe, expect, it } from 'vitest'
import { genesis, schemaNumber } from '../../../src/adapters/log-sqlite/record.ts'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Given } from './given.ts'
import { batch, concern, day, requested } from './samples.ts'

export function appendsAndReads(given: Given): void {
  describe('append and read', () => {
    it('gives back what was appended, chained, with one global order', async () => {
      const first = await given.log.append(batch('d1', 0, [requested('Parse dates'), concern('a')]))
      await given.log.append(batch('d2', 0, [requested('Other')]))
      await given.log.append(batch('d1', 2, [concern('b')]))
      const events = await given.log.read('d1', 0)
      expect(events.map(({ version, position }) => [version, position])).toEqual([
        [1, 1],
        [2, 2],
        [3, 4],
      ])
      expect(events.map(({ previous }) => previous)).toEqual([genesis, events[0]!.hash, events[1]!.hash])
      expect(first).toEqual({ status: 'appended', recorded: events.slice(0, 2) })
      expect(events[0]).toMatchObject({ delivery: 'd1', at: day, schema: schemaNumber, actor: 'ada', cause: null })
      expect(events[0]!.event).toEqual(requested('Parse dates'))
      expect(await given.log.read('d1', 2)).toEqual(events.slice(2))
      expect(await given.log.read('d1', 3)).toEqual([])
      expect(await given.log.read('nobody', 0)).toEqual([])
    })

    it('keeps events apart from the objects they came from', async () => {
      const event = requested('Parse dates')
      await given.log.append(batch('d1', 0, [event]))
      if (event.type === 'DeliveryRequested') event.target = 'elsewhere'
      const [entry] = await given.log.read('d1', 0)
      expect(entry!.event).toMatchObject({ target: 'main' })
    })

    it('refuses an append at another version, and changes nothing', async () => {
      await given.log.append(batch('d1', 0, [requested('x')]))
      expect(await given.log.append(batch('d1', 0, [requested('y')]))).toEqual({ status: 'conflict', version: 1 })
      expect(await given.log.append(batch('d1', 5, [concern('y')]))).toEqual({ status: 'conflict', version: 1 })
      expect(await given.log.append(batch('d2', 1, [concern('y')]))).toEqual({ status: 'conflict', version: 0 })
      expect(await given.log.read('d1', 0)).toHaveLength(1)
    })

    it('lists deliveries with their title, times and result', async () => {
      const long = 'y'.repeat(100)
      await given.log.append(batch('d1', 0, [requested('\n Parse dates \nand more', 'repo-1')]))
      const events = [{ at: day + 50, actor: 'ada', cause: null, event: requested(long, 'repo-2') }]
      await given.log.append({ ...batch('d2', 0, []), events })
      const done: DeliveryEvent = { type: 'DeliveryCompleted', step: 's', result: 'done', reason: '', concerns: [] }
      await given.log.append(batch('d1', 1, [done]))
      const times = { requestedAt: day, updatedAt: day + 1 }
      const row = { delivery: 'd1', repository: 'repo-1', version: 2, ...times, result: 'done', title: 'Parse dates' }
      const rows = await given.log.deliveries(null)
      expect(rows[0]).toEqual(row)
      expect(rows[1]).toMatchObject({ delivery: 'd2', result: null, title: `${'y'.repeat(79)}…` })
      expect(await given.log.deliveries('repo-1')).toEqual([row])
      await given.log.append(batch('d1', 2, [{ type: 'DeliveryReopened', cause: 'retry' }]))
      expect((await given.log.deliveries('repo-1'))[0]).toMatchObject({ result: null, version: 3 })
    })
  })
}
