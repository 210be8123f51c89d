import { describe, expect, it } from 'vitest'
import { Player } from '../../../test/simulation/player.ts'
import { policy, single, story } from '../../../test/simulation/sample.ts'
import type { Outline } from '../../delivery/plan/plan.ts'
import { acceptanceOf } from '../../delivery/story/course/acceptance.ts'
import { rendered } from './line.ts'
import { acceptanceLines, planLines } from './plan-lines.ts'

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

describe('planLines', () => {
  it('begin with why it is this plan, and leave out what nobody said', () => {
    const lines = planLines({ outline, stories: [story('a')] }).map((line) => rendered(line, false))
    expect(lines.slice(0, 13)).toEqual([
      'Approach',
      '    A table of currencies',
      'Rather than',
      '    A service (it is slow)',
      'Left out',
      '    Rates',
      'Checked in the end',
      '    must: rounds half up',
      '    must not: drop cents',
      'Covers',
      '    Prices are shown (a)',
      'Risks',
      '    Old orders: left as they are',
    ])
  })

  it('say which stories wait for others, and why', () => {
    const plan = {
      outline: null,
      stories: [
        story('a', { files: ['x'] }),
        story('b', { files: ['x'] }),
        story('c', { dependsOn: ['b'], files: ['x'] }),
      ],
    }
    const lines = planLines(plan).map((line) => rendered(line, false))
    expect(lines.filter((line) => line.includes('after'))).toEqual([
      '    after a (same files)',
      '    after b',
      '    after a (same files)',
    ])
  })
})

describe('acceptance tests', () => {
  it('are shown before the plan as what they are, and not counted with its stories', () => {
    const pinned = policy({ acceptance: true, checks: [single()], gates: 'plan', unattended: false })
    const player = new Player(pinned, [story('a'), story('b')])
    expect(JSON.stringify(acceptanceLines(acceptanceOf(player.state)?.spec ?? null))).toMatch(
      /acceptance.*Acceptance tests.*its tests come first/,
    )
    expect(player.find('AskQuestion')).toMatchObject({
      question: { text: 'Go ahead with this plan of 2 stories, with acceptance tests before all?' },
    })
    expect(acceptanceLines(null)).toEqual([])
  })
})
