import { describe, expect, it } from 'vitest'
import { dueSteps } from '../../../src/delivery/due.ts'
import { type Live, overrun, overrunOfDay } from '../../../src/delivery/money/ledger.ts'
import type { Ceilings } from '../../../src/delivery/policy.ts'
import { policyOf } from '../../../src/delivery/state.ts'
import type { CodeStory } from '../../../src/delivery/step.ts'
import { fails, finds, refuse } from '../endings.ts'
import { Player } from '../player.ts'
import { agent, moment, noCeilings, policy, story, turnOf } from '../sample.ts'

const five = ['a', 'b', 'c', 'd', 'e'].map((id) => story(id))
const under = (ceilings: Partial<Ceilings>, reserveUsd = 2) =>
  policy({ agents: { mine: agent({ reserveUsd }) }, ceilings: { ...noCeilings, ...ceilings }, limits: { agents: 5 } })

const spend = (player: Player, id: string, { usd = 0, tokens = 0, minutes = 0 }) => {
  const usage = { inputTokens: tokens, outputTokens: 0, cachedTokens: 0 }
  const turn = turnOf(id, { usage, usd, durationMs: minutes * 60_000 })
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

describe('a day on which no more may be spent', () => {
  const spentDay = (player: Player) =>
    player.record({ type: 'DaySpent', day: moment(0).day, text: '9 USD for the day' })

  it('ends the delivery as out of budget when the turns in flight are over', () => {
    const player = new Player(under({}), five)
    const step = player.start('CodeStory a')
    spentDay(player)
    expect(player.due()).toEqual(['CodeStory a'])
    player.end(step)
    player.run()
    const reason = 'the ceiling is reached: 9 USD for the day'
    expect(player.state.mode).toMatchObject({ result: 'budget', reason })
    player.tell({ type: 'ResumeDelivery', by: 'somebody' })
    expect(player.run().result()).toBe('done')
  })
  it('is over on the next, and then is no reason any more', () => {
    const player = new Player(under({}), five)
    spentDay(player)
    expect(dueSteps(player.state, { ...moment(0), day: 'another' }).steps).toHaveLength(5)
    player.record({ type: 'DaySpent', day: 'another', text: '' })
    expect(player.run().result()).toBe('done')
  })
})

describe('a turn whose price nobody knows', () => {
  const silent = { price: 'untold' as const, usd: 0, exact: false }
  const afterOne = (stories: typeof five, price: 'untold' | 'lost') => {
    const player = new Player(under({ usdPerDelivery: 10 }, 0), stories)
    const turn = turnOf('a', { ...silent, price })
    player.record({ type: 'TurnSpent', step: player.find('CodeStory a').id, turn, totals: null })
    return player
  }

  it('keeps others from being taken, unless it was lost, and is no matter where no more are needed', () => {
    expect(afterOne(five, 'untold').run().result()).toBe('budget')
    expect(afterOne(five, 'lost').run().result()).toBe('done')
    const player = new Player(under({ usdPerDelivery: 10 }, 0), [story('a')])
    const step = player.start('CodeStory a')
    player.record({ type: 'TurnSpent', step: step.id, turn: turnOf('a', silent), totals: null })
    player.end(step)
    expect(player.run().result()).toBe('done')
  })
})

describe('a turn in flight', () => {
  const money = () => new Player(under({ usdPerDelivery: 10, tokensPerStory: 100, minutesPerStory: 2 }), five)
  const live = { step: 's', story: 'a', tokens: 0, usd: 0, ms: 0 }

  it('reaches a ceiling by what it has spent, beside what is spent and set aside for others', () => {
    const player = money()
    const [a] = [player.start('CodeStory a', { reserveUsd: 2 }), player.start('CodeStory b', { reserveUsd: 2 })]
    spend(player, 'a', { usd: 3 })
    const { ceilings } = policyOf(player.state)
    const reached = (spent: Partial<Live>) => overrun(player.state.money, ceilings, { ...live, step: a.id, ...spent })
    expect(reached({ usd: 4.9, tokens: 99 })).toBeNull()
    expect(reached({ usd: 5 })).toBe('10 USD for the delivery')
    expect(reached({ usd: null, tokens: 100 })).toBe('100 tokens for the story')
    expect(reached({ ms: 119_999 })).toBeNull()
    expect(reached({ ms: 120_000 })).toBe('2 minutes for the story')
  })
  it('reaches the ceiling of a day beside what all deliveries have spent on it', () => {
    const { ceilings } = policyOf(new Player(under({ usdPerDay: 5, tokensPerDay: 100, minutesPerDay: 2 }), five).state)
    const reached = (spent: Partial<Live>) =>
      overrunOfDay('today', { usd: 3, tokens: 50, ms: 60_000 }, { ceilings, live: { ...live, ...spent } })
    expect(reached({ usd: 1.9, tokens: 49 })).toBeNull()
    expect(reached({ usd: 2 })).toBe('5 USD for today')
    expect(reached({ usd: null, tokens: 50 })).toBe('100 tokens for today')
    expect(reached({ ms: 59_999 })).toBeNull()
    expect(reached({ ms: 60_000 })).toBe('2 minutes for today')
  })
  it('reaches none where there is none', () => {
    const { state } = new Player(under({}), five)
    expect(overrun(state.money, policyOf(state).ceilings, { ...live, usd: 1e9, tokens: 1e9, ms: 1e9 })).toBeNull()
  })
})

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

describe('a ceiling in dollars, and a turn whose price nobody knows', () => {
  const unknown = (player: Player) => {
    const step = player.start('CodeStory a')
    const usage = { inputTokens: 12_000_000, outputTokens: 0, cachedTokens: 0 }
    const turn = turnOf('a', { usage, usd: 0, price: 'unknown', exact: false, model: 'm' })
    player.record({ type: 'TurnSpent', step: step.id, turn, totals: null })
    player.end(step, fails('empty'))
    return player
  }
  it('do not go together: the delivery ends, and says how to count', () => {
    const player = unknown(new Player(under({ usdPerDelivery: 1 }, 0), [story('a')])).run()
    expect(player.times('CodeStory a')).toBe(1)
    expect(player.state.mode).toMatchObject({ status: 'ended', result: 'budget' })
    expect(player.state.mode).toMatchObject({
      reason: expect.stringMatching(/price is known for m of mine.*reserveUsd/),
    })
  })
  it.each([
    ['a ceiling in tokens', { usdPerDelivery: 1, tokensPerDelivery: 99_000_000 }],
    ['no ceiling in dollars', { tokensPerDelivery: 99_000_000 }],
  ])('do with %s', (_, ceilings) => {
    expect(unknown(new Player(under(ceilings, 0), [story('a')])).due()).toContain('CodeStory a')
  })
  it('do as soon as the settings say what such a turn counts as', () => {
    const player = unknown(new Player(under({ usdPerDelivery: 9 }, 0), [story('a')])).run()
    player.tell({ type: 'RepinPolicy', policy: under({ usdPerDelivery: 9 }, 2), policyHash: 'p2', by: 'me' })
    player.tell({ type: 'ResumeDelivery', by: 'me' })
    expect(player.due()).toContain('CodeStory a')
  })
})

describe('the ceiling of a story', () => {
  it('is not touched by what is set aside for others', () => {
    expect(new Player(under({ usdPerStory: 3 }), five).due()).toHaveLength(5)
  })
  it('stops that story and no other', () => {
    const player = new Player(under({ usdPerStory: 3 }), [story('a'), story('b')])
    const step = player.start('CodeStory a')
    spend(player, 'a', { usd: 3 })
    player.end(step, fails('empty'))
    expect(player.due()).toEqual(['CodeStory b'])
    expect(player.run().state.mode).toMatchObject({
      result: 'budget',
      reason: 'the ceiling is reached: 3 USD for the story',
    })
    expect(player.status('b')).toBe('joined')
  })
})

describe('the ceilings of tokens and minutes', () => {
  const slowly = { limits: { ...policy().limits, agents: 1 } }
  const cases: [keyof Ceilings, { tokens?: number; minutes?: number }, string][] = [
    ['tokensPerDelivery', { tokens: 60 }, '100 tokens for the delivery'],
    ['minutesPerDelivery', { minutes: 60 }, '100 minutes for the delivery'],
    ['tokensPerStory', { tokens: 100 }, '100 tokens for the story'],
    ['minutesPerStory', { minutes: 100 }, '100 minutes for the story'],
  ]
  it.each(cases)('%s stops what would start after it', (ceiling, each, text) => {
    const player = new Player({ ...under({ [ceiling]: 100 }), ...slowly }, five)
    const turns = ceiling.endsWith('Story') ? 1 : 2
    for (let n = 0; n < turns; n++) {
      const step = player.start('CodeStory a')
      spend(player, 'a', each)
      player.end(step, fails('empty'))
    }
    expect(player.due().filter((name) => name === 'CodeStory a')).toEqual([])
    expect(player.run().state.mode).toMatchObject({ result: 'budget', reason: `the ceiling is reached: ${text}` })
  })
  it("do not stop the other stories when they are one story's", () => {
    const player = new Player(under({ minutesPerStory: 1 }), [story('a'), story('b')])
    const step = player.start('CodeStory a')
    spend(player, 'a', { minutes: 1 })
    player.end(step, fails('empty'))
    expect(player.due()).toEqual(['CodeStory b'])
  })
})

describe('a ceiling that is near', () => {
  it.each([
    ['usdPerDelivery', { usd: 8 }, '80 % of 10 USD for the delivery is spent'],
    ['tokensPerDelivery', { tokens: 8 }, '80 % of 10 tokens for the delivery is spent'],
    ['minutesPerDelivery', { minutes: 8 }, '80 % of 10 minutes for the delivery is spent'],
    ['usdPerStory', { usd: 8 }, '80 % of 10 USD for the story a is spent'],
    ['tokensPerStory', { tokens: 8 }, '80 % of 10 tokens for the story a is spent'],
    ['minutesPerStory', { minutes: 8 }, '80 % of 10 minutes for the story a is spent'],
  ] as const)('is a concern: %s', (ceiling, spent, text) => {
    const player = new Player(under({ [ceiling]: 10 }), five)
    player.start('CodeStory a')
    const [most, last] = Object.entries(spent).map(([key, value]) => [{ [key]: value - 1 }, { [key]: 1 }])[0]!
    spend(player, 'a', most!)
    expect(player.state.concerns).toEqual([])
    spend(player, 'a', last!)
    expect(player.state.concerns).toEqual([text])
    spend(player, 'a', last!)
    expect(player.state.concerns).toEqual([text])
  })

  const cheaper = (ceilings: Partial<Ceilings>, model: string | null = 'small') =>
    policy({
      agents: { mine: agent({ models: { fast: 'large' }, cheaper: model }) },
      ceilings: { ...noCeilings, ...ceilings },
    })
  const coderOf = (player: Player) => player.find('CodeStory a') as CodeStory

  it('makes the next turn one of the cheaper model, and says why', () => {
    const player = new Player(cheaper({ usdPerDelivery: 10 }), [story('a')])
    const step = player.start('CodeStory a')
    spend(player, 'a', { usd: 8 })
    expect(coderOf(player)).toEqual(step)
    player.end(step)
    player.perform('Judge a check:test', finds())
    expect(coderOf(player)).toMatchObject({
      model: 'small',
      because: 'small is cheaper, and 80 % of 10 USD for the delivery is spent',
    })
  })
  it('leaves an agent as it is that has none, or whose cheaper model there is not', () => {
    const none = new Player(cheaper({ usdPerDelivery: 10 }, null), [story('a')])
    spend(none, 'a', { usd: 9 })
    expect(coderOf(none)).toMatchObject({ model: 'large', because: '' })
    const barred = new Player(cheaper({ usdPerDelivery: 10 }), [story('a')])
    spend(barred, 'a', { usd: 9 })
    barred.perform('CodeStory a', refuse('model'))
    expect(coderOf(barred)).toMatchObject({ model: 'large', because: '' })
  })
  it('of one story makes no other sparing', () => {
    const player = new Player(cheaper({ usdPerStory: 10 }), [story('a'), story('b')])
    spend(player, 'b', { usd: 9 })
    expect(coderOf(player).model).toBe('large')
  })
  it('of the day makes turns of that day sparing', () => {
    const player = new Player(cheaper({ usdPerDay: 10 }), [story('a')])
    const text = '80 % of 10 USD for 2026-01-01 is spent'
    player.record({ type: 'DayNearlySpent', day: '2026-01-01', text })
    expect(coderOf(player)).toMatchObject({ model: 'small' })
    expect(player.state.concerns).toEqual([text])
    player.record({ type: 'DayNearlySpent', day: '2025-12-31', text })
    expect(coderOf(player)).toMatchObject({ model: 'large' })
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
