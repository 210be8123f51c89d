import { beforeEach, describe, expect, it } from 'vitest'
import type { EventQuery } from '../../../src/ports/event-log.ts'
import type { Given } from './given.ts'
import { batch, concern, requested, spent } from './samples.ts'

export function answersQueries(given: Given): void {
  const texts = async (query: Partial<EventQuery>): Promise<string[]> =>
    (await given.log.query({ ...everything, ...query })).map(({ event }) => ('text' in event ? event.text : event.type))

  describe('query', () => {
    beforeEach(async () => {
      await given.log.append(batch('d1', 0, [requested('one'), concern('a', 's1'), concern('b', 's2')]))
      await given.log.append(batch('d2', 0, [requested('two'), concern('c', 's1')]))
      await given.log.append(
        batch('d1', 3, [{ type: 'StorySkipped', story: 's1', reason: 'r', by: 'ada' }, concern('d')]),
      )
    })

    it('by delivery, type and story, alone and together', async () => {
      expect(await texts({ types: ['ConcernRaised'] })).toEqual(['a', 'b', 'c', 'd'])
      expect(await texts({ types: ['StorySkipped', 'DeliveryRequested'] })).toEqual([
        'DeliveryRequested',
        'DeliveryRequested',
        'StorySkipped',
      ])
      expect(await texts({ delivery: 'd2' })).toEqual(['DeliveryRequested', 'c'])
      expect(await texts({ delivery: 'd1', types: ['ConcernRaised'] })).toEqual(['a', 'b', 'd'])
      expect(await texts({ story: 's1' })).toEqual(['a', 'c', 'StorySkipped'])
      expect(await texts({ story: 's1', delivery: 'd1', types: ['ConcernRaised'] })).toEqual(['a'])
    })

    it('after a position, the first or the last of them, always ascending', async () => {
      expect(await texts({ after: 4, limit: 2 })).toEqual(['c', 'StorySkipped'])
      expect(await texts({ limit: 2, from: 'last' })).toEqual(['StorySkipped', 'd'])
      expect(await texts({ types: ['ConcernRaised', 'StorySkipped'], limit: 3, from: 'last' })).toEqual([
        'c',
        'StorySkipped',
        'd',
      ])
      expect(await texts({ delivery: 'd1', after: 3 })).toEqual(['StorySkipped', 'd'])
      expect(await texts({ delivery: 'd1', after: 2, limit: 1, from: 'last' })).toEqual(['d'])
      expect(await texts({ after: 7 })).toEqual([])
      expect(await texts({ limit: 0, from: 'last' })).toEqual([])
    })

    it('finds a story inside a started step and a turn', async () => {
      await given.log.append(batch('d3', 0, [spent(1, 's9')]))
      expect(await texts({ story: 's9' })).toEqual(['TurnSpent'])
    })
  })
}

const everything: EventQuery = { delivery: null, types: [], story: null, after: 0, limit: 1000, from: 'first' }
