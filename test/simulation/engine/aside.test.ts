import { expect, it } from 'vitest'
import { setAsideMoney } from '../../../src/engine/admit.ts'
import type { EngineWorld } from '../../../src/engine/world.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { agent, noCeilings, policy } from '../sample.ts'
import { VirtualClock } from './virtual-clock.ts'
import { dayOf } from './yard.ts'

const pinned = policy({ agents: { mine: agent({ reserveUsd: 2 }) }, ceilings: { ...noCeilings, usdPerDay: 3 } })
const about = (delivery: string) => ({ delivery, policy: pinned, agent: 'mine' })

function home(change: Partial<EventLog> = {}): EngineWorld {
  const log = { ...memoryLog({ isAlive: () => true }), ...change }
  const worker = { id: 'w', host: 'here', pid: 1 }
  return { log, clock: new VirtualClock(), worker, dayOf, leaseMs: 1_000 } as Partial<EngineWorld> as EngineWorld
}

it('what is set aside counts for others until it is released', async () => {
  const world = home()
  const first = await setAsideMoney(world, about('one'))
  expect(await setAsideMoney(world, about('two'))).toMatchObject({ status: 'reached' })
  expect(await world.log.leaseOf('two')).toBeNull()
  if (first.status === 'held') await first.release()
  expect(await setAsideMoney(world, about('two'))).toMatchObject({ status: 'held' })
})

it('nothing is held on to when the log cannot be written', async () => {
  const append = () => Promise.reject(new Error('the disk is full'))
  const world = home({ append })
  await expect(setAsideMoney(world, about('one'))).rejects.toThrow('the disk is full')
  expect(await world.log.leaseOf('one')).toBeNull()
})
