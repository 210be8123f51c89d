import { describe, expect, it } from 'vitest'
import { policy, story } from '../../test/simulation/sample.ts'
import { estimateView, expectedTurns, hoursOf, quickPlan } from './estimate.ts'

const complexitiesOf = (text: string) => quickPlan(text).plan.stories.map(({ complexity }) => complexity)

describe('a quick plan', () => {
  it('has a story for each thing that is listed, and one where nothing is', () => {
    expect(
      quickPlan('Do these:\n- Add a button\n- Fix the typo\n3. Sort the list').plan.stories.map(({ title }) => title),
    ).toEqual(['Add a button', 'Fix the typo', 'Sort the list'])
    expect(quickPlan('Add a button\n- with a label').plan.stories).toHaveLength(1)
  })

  it('says why something is harder than it looks, or easier', () => {
    expect(complexitiesOf('Add a button')).toEqual([2])
    expect(complexitiesOf('Fix a typo')).toEqual([1])
    expect(complexitiesOf('Migrate the database')).toEqual([3])
    expect(complexitiesOf('Rewrite payments everywhere, in a distributed transaction')).toEqual([13])
    expect(quickPlan('Migrate the database').reasons['goal-1']).toEqual(['touches data or versions'])
    expect(complexitiesOf('word '.repeat(50))).toEqual([3])
  })

  it('is bounded, whatever the text', () => {
    expect(complexitiesOf('- x\n'.repeat(10_000))).toHaveLength(50)
    expect(complexitiesOf(`${'architecture race '.repeat(1000)} everywhere, migrate`)).toEqual([13])
  })
})

const turn = {
  story: 'a',
  role: 'coder',
  agent: 'one',
  model: 'm',
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 },
}

describe('an estimate', () => {
  it('adds up hours, price and cost by story and role', () => {
    const view = estimateView({
      basis: 'plan',
      plan: { outline: null, stories: [story('a', { complexity: 5 }), story('b', { complexity: 1 })] },
      reasons: {},
      turns: [
        { ...turn, usd: 2, priced: true },
        { ...turn, story: 'b', usd: 1, priced: false },
        { ...turn, story: null, role: 'planner', usd: 0.5, priced: true },
      ],
      ratePerHour: 100,
      spentUsd: 0,
    })
    expect(view).toMatchObject({ hours: 4.5, price: 450, usd: 3.5, unpriced: 1 })
    expect(view.stories.map(({ hours, price, usd }) => [hours, price, usd])).toEqual([
      [4, 400, 2],
      [0.5, 50, 1],
    ])
    expect(view.roles).toEqual([
      { role: 'coder', agent: 'one', turns: 2, usd: 3 },
      { role: 'planner', agent: 'one', turns: 1, usd: 0.5 },
    ])
    expect(Object.values(hoursOf)).toEqual([0.5, 1, 2, 4, 8, 16])
  })

  it('expects the turns that the settings make of a plan', () => {
    const given = policy({})
    const plan = { outline: null, stories: [story('a', { complexity: 5 }), story('b', { complexity: 1 })] }
    const rolesOf = (turns: { role: string; story: string | null }[]) =>
      turns.map(({ role, story }) => `${role} ${story}`)
    expect(
      rolesOf(expectedTurns({ ...given, review: { ...given.review, reviewers: [] } }, plan, { drafted: true })),
    ).toEqual(['coder a', 'coder a', 'coder b'])
    const [agent] = given.roles.coder
    const reviewers = [
      { vantage: 'correctness' as const, agents: [agent!] },
      { vantage: 'criteria' as const, agents: [] },
    ]
    const roles = { ...given.roles, planner: [agent!], interpreter: [agent!], challenger: [], triager: [] }
    const reviewed = { ...given, roles, review: { ...given.review, reviewers } }
    expect(
      rolesOf(
        expectedTurns(
          { ...reviewed, intent: { ...given.intent, skip: false } },
          { ...plan, stories: [plan.stories[1]!] },
          { drafted: false },
        ),
      ),
    ).toEqual(['interpreter null', 'planner null', 'coder b', 'reviewer b', 'triager b'])
    expect(
      expectedTurns({ ...reviewed, intent: { ...given.intent, skip: true } }, plan, { drafted: false })[0]?.role,
    ).toBe('planner')
  })
})
