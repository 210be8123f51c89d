import { describe, expect, it } from 'vitest'
import { Player } from '../../../test/simulation/player.ts'
import { agent, policy, story } from '../../../test/simulation/sample.ts'
import type { Interim } from '../../delivery/events.ts'
import type { AgentPolicy } from '../../delivery/policy.ts'
import type { CodeStory } from '../../delivery/step.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { StepWorld } from '../world.ts'
import { recordSpent, unknownSpent } from './ledger.ts'

async function recorded(over: Partial<AgentPolicy>, { worked = true, spent = unknownSpent } = {}): Promise<Interim[]> {
  const player = new Player(policy({ agents: { mine: agent(over) } }), [story('a')])
  const step = player.start('CodeStory a') as CodeStory
  const world = { prices: { usd: async () => null }, clock: { now: () => 0 } } as unknown as StepWorld
  const facts: Interim[] = []
  const record = async (fact: Interim) => {
    facts.push(fact)
    player.record(fact)
  }
  const taken = { role: 'coder', model: 'm', spent, durationMs: 1, worked }
  const performance = { state: player.state, step, record, try: 1, mark: '', signal: new AbortController().signal }
  for (const _ of [1, 2]) await recordSpent(world, { ...performance, state: player.state }, taken)
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

  it('that failed, or is of a program of the user, may have used nothing', async () => {
    expect(typesOf(await recorded({ driver: 'acp' }, { worked: false }))).toEqual(['TurnSpent', 'TurnSpent'])
    expect(typesOf(await recorded({ driver: 'command' }))).toEqual(['TurnSpent', 'TurnSpent'])
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
})
