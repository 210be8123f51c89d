import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { drive } from '../../../src/engine/drive.ts'
import { submit } from '../../../src/engine/load.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Perform } from '../../../src/ports/performer.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { request, story } from '../sample.ts'
import { VirtualClock } from './virtual-clock.ts'

const dayMs = 86_400_000
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export interface Yard {
  log: EventLog
  clock: VirtualClock
}

/** Deliveries of one home, each with a driver of its own, until all have ended. */
export async function delivered(
  count: number,
  policy: Policy,
  { names = ['a', 'b'], performer }: { names?: string[]; performer: (yard: Yard) => Perform },
): Promise<Yard> {
  const yard: Yard = { log: memoryLog({ isAlive: () => true }), clock: new VirtualClock() }
  const perform = performer(yard)
  const heard = new Set<() => void>()
  const wake = {
    ring: () => {
      for (const call of heard) call()
    },
    listen: (_: string, call: () => void) => {
      heard.add(call)
      return () => heard.delete(call)
    },
  }
  const drives = Array.from({ length: count }, async (_, i) => {
    const delivery = `d${i}`
    await submit(
      { ...yard, wake },
      {
        delivery,
        intent: request(
          policy,
          names.map((name) => story(name)),
        ),
        actor: 'test',
      },
    )
    const world = {
      ...{ ...yard, wake, perform, dayOf, sweep: async () => {} },
      ...{ worker: { id: `w${i}`, host: 'here', pid: i }, homeTag: 'home', leaseMs: 90 * dayMs },
      ...{ onChange: () => undefined, crashPoint: () => undefined },
    }
    return await drive(world, { delivery, signal: new AbortController().signal, stay: false })
  })
  let done = false
  const all = Promise.all(drives).then(() => {
    done = true
  })
  while (!done) {
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
    if (!done) yard.clock.advance()
  }
  await all
  return yard
}

export async function events({ log }: Yard, type: DeliveryEvent['type']): Promise<DeliveryEvent[]> {
  const found = await log.query({ delivery: null, types: [type], story: null, after: 0, limit: 1_000, from: 'first' })
  return found.map(({ event }) => event)
}
