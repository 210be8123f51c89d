import { describe, expect, it } from 'vitest'
import { unreviewed } from '../../../src/delivery/completion.ts'
import type { Turn } from '../../../src/delivery/money/ledger.ts'
import type { Ceilings } from '../../../src/delivery/policy.ts'
import { happily } from '../endings.ts'
import { agent, noCeilings, policy, turnOf } from '../sample.ts'
import { dayOf, delivered, events, type Yard } from './yard.ts'

/** Each turn costs the same; `most` is the most money in flight at once, beside what its day had cost by then. */
async function spending(
  count: number,
  ceilings: Partial<Ceilings>,
  { agents = 3, names = ['a', 'b'], ...turn }: Partial<Turn> & { agents?: number; names?: string[] },
): Promise<Yard & { most: number }> {
  const pinned = policy({
    agents: { mine: agent({ reserveUsd: 2 }) },
    ceilings: { ...noCeilings, ...ceilings },
    limits: { agents },
  })
  let inFlight = 0
  let most = 0
  const yard = await delivered(count, pinned, {
    names,
    performer:
      ({ log, clock }) =>
      async ({ step, record }) => {
        if (step.verb !== 'CodeStory') return happily(step) as never
        inFlight += 2
        most = Math.max(most, (await log.spentOn(dayOf(clock.now()))).usd + inFlight)
        await clock.until(clock.now() + 100, new AbortController().signal)
        await record({ type: 'TurnSpent', step: step.id, turn: turnOf(step.story, turn), totals: null })
        inFlight -= 2
        return happily(step) as never
      },
  })
  return { ...yard, most }
}

describe('a ceiling of the day', () => {
  it('is not overshot by deliveries that start at the same time; what does not fit ends with `budget`', async () => {
    const yard = await spending(2, { usdPerDay: 5 }, { usd: 2 })
    expect(yard.most).toBe(4)
    expect((await yard.log.spentOn(dayOf(0))).usd).toBe(4)
    const budget = { result: 'budget', reason: 'the ceiling is reached: 5 USD for 1970-01-01' }
    expect(await events(yard, 'DeliveryCompleted')).toMatchObject([budget, budget])
  })
  it('lets all of them start when there is none', async () => {
    const yard = await spending(2, {}, { usd: 2, agents: 4 })
    expect(yard.most).toBe(8)
    expect(await events(yard, 'DaySpent')).toEqual([])
  })
  it.each([
    ['tokensPerDay', { usage: { inputTokens: 60, outputTokens: 0, cachedTokens: 0 } }],
    ['minutesPerDay', { durationMs: 60 * 60_000 }],
  ] as const)('counts %s as well', async (ceiling, turn) => {
    const within = await spending(1, { [ceiling]: 121 }, { usd: 0, ...turn, agents: 1 })
    expect(await events(within, 'DeliveryCompleted')).toMatchObject([{ concerns: [unreviewed] }])
    const beyond = await spending(2, { [ceiling]: 120 }, { usd: 0, ...turn, agents: 1 })
    expect(await events(beyond, 'DeliveryCompleted')).toMatchObject([{ result: 'budget' }, { result: 'budget' }])
  })
  it('is a concern when it is near, once for each delivery', async () => {
    const text = '80 % of 10 USD for 1970-01-01 is spent'
    const names = ['a', 'b', 'c', 'd']
    const yard = await spending(1, { usdPerDay: 10 }, { usd: 4, agents: 1, names })
    expect(await events(yard, 'DayNearlySpent')).toEqual([{ type: 'DayNearlySpent', day: '1970-01-01', text }])
    const both = await spending(2, { usdPerDay: 100 }, { usd: 40, agents: 1 })
    expect(await events(both, 'DayNearlySpent')).toHaveLength(2)
  })
})
