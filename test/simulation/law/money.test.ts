import { describe, expect, it } from 'vitest'
import type { Ceilings } from '../../../src/delivery/policy.ts'
import { Player } from '../player.ts'
import { agent, noCeilings, policy, story, turnOf } from '../sample.ts'

const five = ['a', 'b', 'c', 'd', 'e'].map((id) => story(id))
const under = (ceilings: Partial<Ceilings>, reserveUsd = 2) =>
  policy({ agents: { mine: agent({ reserveUsd }) }, ceilings: { ...noCeilings, ...ceilings }, limits: { agents: 5 } })

const spend = (player: Player, id: string, { usd = 0, tokens = 0 }) => {
  const usage = { inputTokens: tokens, outputTokens: 0, cachedTokens: 0 }
  const turn = { ...turnOf(id), usage, usd }
  player.record({ type: 'TurnSpent', step: player.find(`CodeStory ${id}`).id, turn, totals: null })
}

/** Starts all agents that may start, lets each spend, and goes on until nothing is due. */
function deliver(player: Player, spent: { usd?: number; tokens?: number }): Player {
  for (let n = 0; n < 200 && player.due().length > 0; n++) {
    const coding = player.due().filter((name) => name.startsWith('CodeStory'))
    const steps = coding.map((name) => player.start(name, { reserveUsd: 2 }))
    for (const step of steps) {
      spend(player, step.story!, spent)
      player.end(step)
    }
    if (coding.length === 0) player.performFirst({})
  }
  return player
}

describe('the ceiling of a delivery', () => {
  it('is reserved from before a turn starts, also by what is listed together', () => {
    expect(new Player(under({ usdPerDelivery: 5 }), five).due()).toEqual(['CodeStory a', 'CodeStory b'])
    expect(new Player(under({ usdPerDelivery: null }), five).due()).toHaveLength(5)
  })
  it('counts what others have reserved until they are done', () => {
    const player = new Player(under({ usdPerDelivery: 3 }), five)
    const step = player.start('CodeStory a', { reserveUsd: 2 })
    expect(player.due()).toEqual(['CodeStory a'])
    spend(player, 'a', { usd: 1 })
    player.end(step)
    expect(player.due()).toContain('CodeStory b')
  })
  it('ends the delivery as out of budget, overshot at most by what was in flight', () => {
    const player = deliver(new Player(under({ usdPerDelivery: 5 }), five), { usd: 4 })
    expect(player.state.mode).toMatchObject({
      result: 'budget',
      reason: 'the ceiling is reached: 5 USD for the delivery',
    })
    expect(player.state.money.usd).toBe(8)
    expect(player.state.money.reserved).toEqual({})
  })
  it('can be raised, and the delivery goes on', () => {
    const player = deliver(new Player(under({ usdPerDelivery: 5 }), five), { usd: 4 })
    player.tell({ type: 'RepinPolicy', policy: under({ usdPerDelivery: 100 }), policyHash: 'p2', by: 'somebody' })
    player.tell({ type: 'ResumeDelivery', by: 'somebody' })
    expect(deliver(player, { usd: 4 }).result()).toBe('done-with-concerns')
    expect(player.state.money.usd).toBe(20)
  })
  it('does not spoil a delivery that was just finished', () => {
    expect(deliver(new Player(under({ usdPerDelivery: 20 }), five), { usd: 4 }).result()).toBe('done-with-concerns')
  })
})

describe('the ceiling of a story', () => {
  it('stops that story and no other', () => {
    const player = new Player(under({ usdPerStory: 3 }), [story('a'), story('b')])
    const step = player.start('CodeStory a')
    spend(player, 'a', { usd: 3 })
    player.end(step, ({ id }) => ({
      type: 'CodingFailed',
      step: id,
      story: 'a',
      kind: 'empty',
      message: '',
      evidence: '',
      session: null,
    }))
    expect(player.due()).toEqual(['CodeStory b'])
    expect(player.run().state.mode).toMatchObject({
      result: 'budget',
      reason: 'the ceiling is reached: 3 USD for the story',
    })
    expect(player.status('b')).toBe('joined')
  })
})

describe('the ceiling of tokens', () => {
  it('stops what would start after it', () => {
    const player = deliver(new Player(under({ tokensPerDelivery: 100 }), five), { tokens: 60 })
    expect(player.result()).toBe('done-with-concerns')
    const slow = new Player({ ...under({ tokensPerDelivery: 100 }), limits: { ...under({}).limits, agents: 1 } }, five)
    expect(deliver(slow, { tokens: 60 }).result()).toBe('budget')
    expect(slow.state.money.tokens).toBe(120)
  })
})

describe('agent starts', () => {
  it('do not spoil a delivery that needed exactly all of them', () => {
    const exact = policy({ limits: { agentStartsPerDelivery: 5 } })
    expect(new Player(exact, five).run().result()).toBe('done')
  })
  it('are not exceeded by what is listed together', () => {
    const few = policy({ limits: { agentStartsPerDelivery: 2, agents: 5 } })
    expect(new Player(few, five).due()).toHaveLength(2)
  })
  it('block when they are spent, until the limit is raised', () => {
    const player = new Player(policy({ limits: { agentStartsPerDelivery: 2 } }), five).run()
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/2 agent starts were not enough/),
    })
    player.tell({ type: 'RepinPolicy', policy: policy(), policyHash: 'p2', by: 'somebody' })
    player.tell({ type: 'ResumeDelivery', by: 'somebody' })
    expect(player.run().result()).toBe('done')
  })
})
