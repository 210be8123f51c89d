import { describe, expect, it } from 'vitest'
import { finds } from '../../test/simulation/endings.ts'
import { Player } from '../../test/simulation/player.ts'
import { fold, policy, requested, story, suite } from '../../test/simulation/sample.ts'
import type { Outline } from '../delivery/plan/plan.ts'
import { amendments } from './intents.ts'

const state = fold(requested(policy(), [story('a'), story('b', { dependsOn: ['a'] })]))
const b = story('b', { dependsOn: ['a'] })

describe('amendments', () => {
  it('are what differs, story by story', () => {
    expect(amendments(state, { outline: null, stories: [story('a', { title: 'Better' }), b] })).toEqual([
      { story: 'a', changes: { title: 'Better' } },
    ])
    expect(amendments(state, { outline: null, stories: [story('a'), b] })).toEqual([])
  })

  it('need not name the story that was added to mend the result, and may', () => {
    const player = new Player(policy({ checks: [suite('end')] }), [story('a')])
    while (!player.due().includes('Judge whole check:test')) player.performFirst({})
    player.perform('Judge whole check:test', finds())
    player.perform('AddFixStory')
    const mend = { ...player.story('mend-1').spec, title: 'Mend it' }
    expect(amendments(player.state, { outline: null, stories: [story('a')] })).toEqual([])
    expect(amendments(player.state, { outline: null, stories: [story('a'), mend] })).toEqual([
      { story: 'mend-1', changes: { title: 'Mend it' } },
    ])
  })

  it('cannot add or remove stories, nor turn the graph around', () => {
    expect(() => amendments(state, { outline: null, stories: [story('a')] })).toThrow(/neither come nor go: b/)
    expect(() => amendments(state, { outline: null, stories: [story('a'), b, story('c')] })).toThrow(
      /neither come nor go: c/,
    )
    expect(() => amendments(state, { outline: null, stories: [story('a'), story('b')] })).toThrow(
      /depends on cannot be changed/,
    )
  })

  it('cannot change the outline that was approved; a file without one leaves it alone', () => {
    const given = { outline, stories: [story('a', { title: 'Better' }), b] }
    expect(() => amendments(state, given)).toThrow(/its outline stays as it was approved/)
    const outlined = { ...state, plan: { ...state.plan, plan: { outline, stories: [story('a'), b] } } }
    expect(amendments(outlined, given)).toHaveLength(1)
    expect(amendments(outlined, { ...given, outline: null })).toHaveLength(1)
  })
})

const outline: Outline = {
  approach: 'A table of currencies',
  runnerUp: { approach: 'A service', lostBecause: 'it is slow' },
  invariants: [],
  nonGoals: ['Rates'],
  tradeOffs: [],
  checklist: [
    { must: true, item: 'rounds half up' },
    { must: false, item: 'drop cents' },
  ],
  switchWhen: '',
  covers: [{ criterion: 'Prices are shown', stories: ['a'] }],
  risks: [{ risk: 'Old orders', decision: 'left as they are' }],
}
