import { describe, expect, it } from 'vitest'
import { finds } from '../../../test/simulation/endings.ts'
import { Player } from '../../../test/simulation/player.ts'
import { fold, policy, requested, single, story, suite } from '../../../test/simulation/sample.ts'
import { acceptanceLines } from '../show/lines/plan-lines.ts'
import { amendments } from './plan.ts'

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
})

describe('acceptance tests', () => {
  it('are shown before the plan as what they are, and not counted with its stories', () => {
    const pinned = policy({ acceptance: true, checks: [single()], gates: 'plan', unattended: false })
    const player = new Player(pinned, [story('a'), story('b')])
    expect(JSON.stringify(acceptanceLines(player.state))).toMatch(/acceptance.*Acceptance tests.*not of the plan/)
    expect(player.find('AskQuestion')).toMatchObject({
      question: { text: 'Go ahead with this plan of 2 stories, with acceptance tests before all?' },
    })
    expect(acceptanceLines(state)).toEqual([])
  })
})
