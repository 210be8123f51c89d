import { describe, expect, it } from 'vitest'
import { Player } from '../../../test/simulation/player.ts'
import { agent, noCeilings, policy, story } from '../../../test/simulation/sample.ts'
import type { Interim } from '../../delivery/events.ts'
import { inputOf } from '../../delivery/inputs/input.ts'
import type { AgentPolicy, Ceilings } from '../../delivery/policy.ts'
import type { CodeStory } from '../../delivery/step.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { StepWorld } from '../world.ts'
import { overrunBy, recordSpent, refuseUncounted, unknownSpent } from './turn-record.ts'

interface Given {
  worked?: boolean
  spent?: Spent
  listed?: number | null
}

async function recorded(
  over: Partial<AgentPolicy>,
  { worked = true, spent = unknownSpent, listed = null }: Given = {},
): Promise<Interim[]> {
  const player = new Player(policy({ agents: { mine: agent(over) } }), [story('a')])
  const step = { ...(player.start('CodeStory a') as CodeStory), model: 'm' }
  const world = { prices: { usd: async () => listed }, clock: { now: () => 0 } } as unknown as StepWorld
  const facts: Interim[] = []
  const record = async (fact: Interim) => {
    facts.push(fact)
    player.record(fact)
  }
  const taken = { role: 'coder', spent, durationMs: 1, worked }
  const work = { world, step, record, try: 1, mark: '', signal: new AbortController().signal }
  const now = () => ({ input: inputOf(player.state, step), standing: () => player.state })
  for (const _ of [1, 2]) await recordSpent({ ...work, ...now() }, taken)
  return facts
}

const used: Spent = { ...unknownSpent, usage: { inputTokens: 5, outputTokens: 1, cachedTokens: 0 } }
const typesOf = (facts: Interim[]) => facts.map(({ type }) => type)

describe('a turn in the ledger', () => {
  it('that worked and told nothing is an alarm, once, and counts as what was set aside', async () => {
    const facts = await recorded({ driver: 'acp', reserveUsd: 0.5 })
    expect(typesOf(facts)).toEqual(['TurnSpent', 'ConcernRaised', 'TurnSpent'])
    expect(facts[0]).toMatchObject({ turn: { usd: 0.5, price: 'untold', exact: false } })
    expect(facts[1]).toMatchObject({ text: expect.stringContaining('did not tell what it used') })
  })

  it('that failed, or is of a program of the user, is no alarm', async () => {
    expect(typesOf(await recorded({ driver: 'acp' }, { worked: false }))).toEqual(['TurnSpent', 'TurnSpent'])
    expect(typesOf(await recorded({ driver: 'command' }))).toEqual(['TurnSpent', 'TurnSpent'])
  })

  it('of which nobody told a word has no known price, also with a program of the user', async () => {
    const priceOf = async (...given: Parameters<typeof recorded>) => (await recorded(...given))[0]
    expect(await priceOf({ driver: 'command' })).toMatchObject({ turn: { price: 'untold', usd: 0 } })
    expect(await priceOf({ driver: 'command' }, { worked: false })).toMatchObject({ turn: { price: 'lost' } })
    expect(await priceOf({ driver: 'acp' }, { worked: false })).toMatchObject({ turn: { price: 'unknown' } })
    expect(await priceOf({ driver: 'command', free: true })).toMatchObject({ turn: { price: 'free', usd: 0 } })
  })

  it('of an agent that is free by the word of the user costs nothing, unless a price is told', async () => {
    const free = { driver: 'builtin', free: true } as const
    for (const spent of [used, unknownSpent]) {
      const facts = await recorded(free, { spent })
      expect(typesOf(facts)).toEqual(['TurnSpent', 'TurnSpent'])
      expect(facts[0]).toMatchObject({ turn: { usd: 0, price: 'free' } })
    }
    const told = await recorded(free, { spent: { ...used, usd: 2 } })
    expect(told[0]).toMatchObject({ turn: { usd: 2, price: 'told' } })
  })

  it('with tokens and without a price is an alarm', async () => {
    const facts = await recorded({ driver: 'builtin' }, { spent: used })
    expect(facts[1]).toMatchObject({ text: expect.stringContaining('no price is known for m of mine') })
  })

  it('is not begun with a model without a price where only dollars are counted, unless something says how', async () => {
    const begun = async (over: Partial<AgentPolicy>, more: Partial<Ceilings> = {}) => {
      const mine = agent({ driver: 'builtin', ...over })
      const settings = policy({ agents: { mine }, ceilings: { ...noCeilings, usdPerDelivery: 1, ...more } })
      const player = new Player(settings, [story('a')])
      const step = { ...(player.start('CodeStory a') as CodeStory), model: 'm' }
      const work = { world: unpriced, step, input: inputOf(player.state, step) }
      return await refuseUncounted(work, mine).then(
        () => 'begun',
        ({ message }: Error) => message,
      )
    }
    expect(await begun({})).toMatch(/no price is known for m of mine/)
    expect(await begun({ reserveUsd: 0.5 })).toBe('begun')
    expect(await begun({ free: true })).toBe('begun')
    expect(await begun({ driver: 'claude' })).toBe('begun')
    expect(await begun({}, { tokensPerDelivery: 9 })).toBe('begun')
    expect(await begun({}, { usdPerDelivery: null })).toBe('begun')
  })

  it('is ended when its service tells of another model, without a price', async () => {
    const ceilings = { ...noCeilings, usdPerDelivery: 1 }
    const settings = policy({ agents: { mine: agent({ driver: 'builtin' }) }, ceilings })
    const player = new Player(settings, [story('a')])
    const step = { ...(player.start('CodeStory a') as CodeStory), model: 'm' }
    const given = { model: 'other', usage: used.usage, ms: 1 }
    const work = { world: unpriced, step, input: inputOf(player.state, step), standing: () => player.state }
    expect(await overrunBy(work, given)).toMatch(/no price is known for other/)
  })

  it('that was cut off costs at least what its tokens cost', async () => {
    const cut = await recorded({ driver: 'opencode' }, { spent: { ...used, usd: 0.1 }, listed: 2 })
    expect(cut[0]).toMatchObject({ turn: { usd: 2, exact: false } })
    const whole = await recorded({ driver: 'opencode' }, { spent: { ...used, usd: 0.1, exact: true }, listed: 2 })
    expect(whole[0]).toMatchObject({ turn: { usd: 0.1, exact: true } })
  })
})

const unpriced = { prices: { usd: async () => null }, clock: { now: () => 0 } } as unknown as StepWorld
