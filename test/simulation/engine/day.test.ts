import { describe, expect, it } from 'vitest'
import { memoryLog } from '../../../src/adapters/log-memory/log.ts'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Turn } from '../../../src/delivery/money/ledger.ts'
import type { Ceilings } from '../../../src/delivery/policy.ts'
import { drive } from '../../../src/engine/drive.ts'
import { submit } from '../../../src/engine/submit.ts'
import type { EventLog } from '../../../src/ports/event-log.ts'
import type { Perform } from '../../../src/ports/performer.ts'
import { happily } from '../endings.ts'
import { agent, noCeilings, policy, request, story, turnOf } from '../sample.ts'
import { VirtualClock } from './virtual-clock.ts'

const dayMs = 86_400_000
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

interface Yard {
  log: EventLog
  clock: VirtualClock
  /** Most money in flight at once, beside what its day had cost by then. */
  most: number
}

/** Deliveries of one home, each with a driver of its own, until all have ended. */
async function delivered(
  count: number,
  ceilings: Partial<Ceilings>,
  { agents = 3, names = ['a', 'b'], ...turn }: Partial<Turn> & { agents?: number; names?: string[] },
): Promise<Yard> {
  const yard: Yard = { log: memoryLog({ isAlive: () => true }), clock: new VirtualClock(), most: 0 }
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
  const pinned = policy({
    agents: { mine: agent({ reserveUsd: 2 }) },
    ceilings: { ...noCeilings, ...ceilings },
    limits: { agents },
  })
  let inFlight = 0
  const perform: Perform = async ({ step, record }) => {
    if (step.verb !== 'CodeStory') return happily(step) as never
    inFlight += 2
    const { usd } = await yard.log.spentOn(dayOf(yard.clock.now()))
    yard.most = Math.max(yard.most, usd + inFlight)
    await yard.clock.until(yard.clock.now() + 100, new AbortController().signal)
    await record({ type: 'TurnSpent', step: step.id, turn: turnOf(step.story, turn), totals: null })
    inFlight -= 2
    return happily(step) as never
  }
  const drives = Array.from({ length: count }, async (_, i) => {
    const delivery = `d${i}`
    await submit(
      { ...yard, wake },
      {
        delivery,
        intent: request(
          pinned,
          names.map((name) => story(name)),
        ),
        actor: 'test',
      },
    )
    const world = {
      ...{ ...yard, wake, perform, dayOf, sweep: async () => 0 },
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

async function events({ log }: Yard, type: DeliveryEvent['type']): Promise<DeliveryEvent[]> {
  const found = await log.query({ delivery: null, types: [type], story: null, after: 0, limit: 1_000, from: 'first' })
  return found.map(({ event }) => event)
}

describe('a ceiling of the day', () => {
  it('is not overshot by deliveries that start at the same time; what does not fit waits for tomorrow', async () => {
    const yard = await delivered(2, { usdPerDay: 5 }, { usd: 2 })
    expect(yard.most).toBe(4)
    expect((await yard.log.spentOn(dayOf(0))).usd).toBe(4)
    expect((await yard.log.spentOn(dayOf(dayMs))).usd).toBe(4)
    expect(await events(yard, 'StepParked')).toMatchObject([{ until: dayMs }, { until: dayMs }])
    expect(await events(yard, 'DeliveryCompleted')).toHaveLength(2)
  })
  it('lets all of them start when there is none', async () => {
    const yard = await delivered(2, {}, { usd: 2, agents: 4 })
    expect(yard.most).toBe(8)
    expect(await events(yard, 'StepParked')).toEqual([])
  })
  it.each([
    ['tokensPerDay', { usage: { inputTokens: 60, outputTokens: 0, cachedTokens: 0 } }],
    ['minutesPerDay', { durationMs: 60 * 60_000 }],
  ] as const)('counts %s as well', async (ceiling, turn) => {
    const within = await delivered(1, { [ceiling]: 121 }, { usd: 0, ...turn, agents: 1 })
    expect(await events(within, 'StepParked')).toEqual([])
    const beyond = await delivered(2, { [ceiling]: 120 }, { usd: 0, ...turn, agents: 1 })
    expect(await events(beyond, 'StepParked')).toMatchObject([{ until: dayMs }, { until: dayMs }])
  })
  it('is a concern when it is near, once for each delivery', async () => {
    const text = '80 % of 10 USD for 1970-01-01 is spent'
    const names = ['a', 'b', 'c', 'd']
    const yard = await delivered(1, { usdPerDay: 10 }, { usd: 4, agents: 1, names })
    expect(await events(yard, 'DayNearlySpent')).toEqual([{ type: 'DayNearlySpent', day: '1970-01-01', text }])
    const both = await delivered(2, { usdPerDay: 100 }, { usd: 40, agents: 1 })
    expect(await events(both, 'DayNearlySpent')).toHaveLength(2)
  })
})
