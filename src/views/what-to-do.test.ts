import { describe, expect, it } from 'vitest'
import { finds, reads, refuses, says } from '../../test/simulation/endings.ts'
import { absent, approval, objection, reading, remark } from '../../test/simulation/judgement-sample.ts'
import { Player } from '../../test/simulation/player.ts'
import { reviewing } from '../../test/simulation/reviewing.ts'
import { policy, story, suite } from '../../test/simulation/sample.ts'
import { initialState } from '../delivery/state.ts'
import { nextActions } from './what-to-do.ts'

describe('at the end', () => {
  it('names how to be asked what is meant, where nobody was', () => {
    const player = new Player(policy({ roles: { planner: ['mine'], interpreter: ['mine'] } }), null)
    player.perform('HarvestContext')
    player.perform('ReadRequirement first', reads({ ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: reading('it counts') }))
    expect(nextActions(player.run().state, 0)[0]).toMatch(/^ropewalk resume d --attended/)
  })
  it('names the report and the proof beside the diff, and no proof where nothing is merged', () => {
    const player = new Player(policy(), [story('a')]).run()
    expect(nextActions(player.state, 0)).toEqual([
      ...['ropewalk diff', 'ropewalk report', 'ropewalk verify main', 'ropewalk cost'],
    ])
    const left = new Player(policy({ unattended: false }), [story('a')]).run({ Land: refuses('dirty', 'c0') })
    left.answer('leave')
    expect(nextActions(left.run().state, 0)).toEqual(['ropewalk diff', 'ropewalk report', 'ropewalk land'])
  })

  it('offers nothing to go on with where work was only to be reviewed, whatever the verdict is', () => {
    for (const word of [approval, objection([remark('leaks')])]) {
      const player = reviewing().run({ ReviewStory: says(word) })
      expect(nextActions(player.state, 0)).toEqual([
        `ropewalk diff review -d ${player.state.id}`,
        `ropewalk report ${player.state.id}`,
        `ropewalk cost ${player.state.id}`,
      ])
    }
  })

  it('names a review that has no verdict, since commands without a name are about deliveries', () => {
    const player = reviewing().run({ ReviewStory: says(absent) })
    expect(nextActions(player.state, 0)).toEqual([
      'ropewalk why review -d d',
      'ropewalk retry review -d d --advice "…"',
      'ropewalk skip review -d d --because "…"',
    ])
  })

  it('says how to see why the result of all is red, and what can be tried again', () => {
    const given = policy({ checks: [suite('end')], limits: { fixStories: 0 } })
    const player = new Player(given, [story('a')]).run({ Judge: finds(1, 'broken') })
    const again = 'ropewalk resume d   (judges the result again; with --repin when ropewalk.yaml was changed)'
    const seen = ['ropewalk log --type Judged --limit 5', 'ropewalk report']
    expect(nextActions(player.state, 0)).toEqual([...seen, again])
    const mending = new Player(policy({ checks: [suite('end')] }), [story('a')])
    while (mending.state.stories['mend-1'] === undefined) mending.performFirst({ Judge: finds(1, 'broken') })
    mending.tell({ type: 'SkipStory', story: 'mend-1', reason: 'not so', by: 'ada' })
    expect(nextActions(mending.run().state, 0)).toEqual([...seen, 'ropewalk retry mend-1 --advice "…"', again])
  })
})

describe('after a ceiling', () => {
  const next = (reason: string, day: string | null): string[] => {
    const state = initialState('d')
    state.mode = { status: 'ended', result: 'budget', reason: `the ceiling is reached: ${reason}`, concerns: [], at: 0 }
    state.money.spentDay = day === null ? null : { day, text: reason }
    return nextActions(state, 0)
  }

  it('the way on is the one that raises it', () => {
    const repin = 'ropewalk resume d --repin   (with higher ceilings in ropewalk.yaml)'
    expect(next('5 USD for the delivery', null)).toEqual(['ropewalk cost', 'ropewalk resume d --max-usd <more>'])
    expect(next('9 tokens for the story', null)).toEqual(['ropewalk cost', repin])
    const ofDay = next('5 USD for 2026-11-16', '2026-11-16')
    expect(ofDay).toEqual(['ropewalk cost', 'ropewalk resume d   (tomorrow)', repin])
  })
})
