import { describe, expect, it } from 'vitest'
import { fold, policy, requested, story, turnOf } from '../../test/simulation/sample.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { noUsage } from '../delivery/money/ledger.ts'
import { costView } from './cost.ts'

const spent = (of: string | null, usd: number, given: { agent?: string; exact?: boolean } = {}): DeliveryEvent => ({
  type: 'TurnSpent',
  step: 's',
  turn: turnOf(of, { ...given, usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 2 }, usd }),
  totals: null,
})

const cost = (...events: DeliveryEvent[]) =>
  costView(fold([...requested(policy(), [story('a'), story('b')]), ...events]))

describe('costView', () => {
  it('adds up by story, role and agent, dearest first, and names the top driver', () => {
    const view = cost(spent('a', 1), spent('b', 2), spent('b', 1, { agent: 'other' }), spent(null, 0.5))
    expect(view).toMatchObject({ usd: 4.5, tokens: 60, turns: 4, exact: true })
    expect(view.byStory.map((row) => [row.name, row.usd, row.turns])).toEqual([
      ['b', 3, 2],
      ['a', 1, 1],
      ['(planning)', 0.5, 1],
    ])
    expect(view.byRole.map((row) => [row.name, row.usd])).toEqual([
      ['coder', 4],
      ['planner', 0.5],
    ])
    expect(view.byAgent.map((row) => [row.name, row.usd])).toEqual([
      ['mine', 3.5],
      ['other', 1],
    ])
    expect(view.top).toMatchObject({ kind: 'story', name: 'b', usd: 3, agent: 'mine', model: '(default)' })
  })

  it('says when a figure is only an estimate', () => {
    const view = cost(spent('a', 1), spent('a', 1, { exact: false }))
    expect(view.exact).toBe(false)
    expect(view.byStory[0]).toMatchObject({ name: 'a', exact: false, turns: 2 })
  })

  it('counts the turns whose price nobody knows', () => {
    const unknown = { ...turnOf('a', { price: 'unknown', exact: false, usd: 2 }) }
    const untold = { ...turnOf('a', { price: 'untold', exact: false, usd: 0 }), usage: noUsage }
    const told = (turn: typeof unknown) => ({ type: 'TurnSpent' as const, step: 's', turn, totals: null })
    const lost = { ...untold, price: 'unknown' as const }
    const view = cost(spent('b', 1), told(unknown), told(untold), told(lost))
    expect(view).toMatchObject({ unpriced: 2, exact: false })
    expect(view.byStory.map((row) => [row.name, row.unpriced])).toEqual([
      ['a', 2],
      ['b', 0],
    ])
  })

  it('says of a turn that was lost, or told nothing, that its cost is not known', () => {
    for (const price of ['lost', 'untold'] as const) {
      const turn = { ...turnOf('a', { price, exact: false, usd: 0 }), usage: noUsage }
      const silent = { type: 'TurnSpent' as const, step: 's', turn, totals: null }
      expect(cost(silent)).toMatchObject({ usd: null, usdKnown: false })
      expect(cost(spent('a', 1), silent)).toMatchObject({ usd: 1, usdKnown: false })
    }
  })

  it('has no top driver when nothing was spent', () => {
    expect(cost(spent('a', 0)).top).toBeNull()
    expect(cost().byStory).toEqual([])
  })
})
