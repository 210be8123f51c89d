import { describe, expect, it } from 'vitest'
import { finds, reads, refuses, says } from '../../test/simulation/endings.ts'
import { absent, approval, objection, reading, remark } from '../../test/simulation/judgement-sample.ts'
import { Player } from '../../test/simulation/player.ts'
import { reviewing } from '../../test/simulation/reviewing.ts'
import { begunOn, fold, policy, requested, story, suite } from '../../test/simulation/sample.ts'
import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { type DeliveryState, initialState } from '../delivery/state.ts'
import { results } from '../delivery/step.ts'
import { concernsOf } from './report/report.ts'
import { statusView } from './status.ts'
import { deliveryWord, deliveryWords, nextActions, summaryView } from './summary.ts'

const begun = begunOn(policy(), [story('a')])
const actionsOf = (state: DeliveryState): string[] => nextActions(state, deliveryWord(state, 0))
const word = (events: DeliveryEvent[], at = 0) => deliveryWord(fold(events), at)

describe('deliveryWord', () => {
  it('says planning until there is an approved plan', () => {
    expect(
      word(requested(policy({ roles: { coder: ['mine'], planner: ['mine'], testWriter: [], verifier: [] } }), null)),
    ).toBe('planning')
  })

  it('says working while a story is on its way', () => {
    expect(word(begun)).toBe('working')
  })

  it('says waiting when only a human can help', () => {
    const gated = begunOn(policy({ gates: 'plan' }), [story('a')])
    expect(word(gated)).toBe('planning')
    const [step] = dueSteps(fold(gated), { at: 0, day: '', open: true, changesAt: null }).steps
    if (step?.verb !== 'AskQuestion') throw new Error('the gate asks')
    const asked: DeliveryEvent[] = [
      { type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 },
      { type: 'QuestionAsked', step: step.id, question: step.question },
    ]
    expect(word([...gated, ...asked])).toBe('waiting')
  })

  it('says waiting while a limit has to pass, and working after it', () => {
    const [step] = dueSteps(fold(begun), { at: 0, day: '', open: true, changesAt: null }).steps
    if (step === undefined) throw new Error('coding is due')
    const parked: DeliveryEvent[] = [
      { type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 },
      { type: 'StepParked', step: step.id, story: 'a', until: 500, reason: 'rate limit' },
    ]
    expect(word([...begun, ...parked], 100)).toBe('waiting')
    expect(word([...begun, ...parked], 600)).toBe('working')
  })

  it('says paused and stopping', () => {
    expect(word([...begun, { type: 'DeliveryPaused', now: false, by: 'me' }])).toBe('paused')
    expect(word([...begun, { type: 'DeliveryStopping', reason: '', by: 'me' }])).toBe('stopping')
  })

  it.each(results)('tells %s apart from the others at the end', (result) => {
    const mode = { status: 'ended' as const, result, reason: '', concerns: [], at: 0 }
    expect(deliveryWord({ ...fold(begun), mode }, 0)).toBe(result)
    expect(deliveryWords).toContain(result)
  })
})

describe('concerns', () => {
  it('are told as the end has them: also that nobody has reviewed', () => {
    const player = new Player(policy(), [story('a')]).run()
    const told = [expect.stringMatching(/^no reviewer looked at it/)]
    expect(summaryView(player.state, 0)).toMatchObject({ word: 'done-with-concerns', concerns: told })
    expect(statusView(player.state, 0).concerns).toEqual(told)
    expect(concernsOf(player.state, []).map(({ text }) => text)).toEqual(told)
  })
})

describe('at the end', () => {
  it('names how to be asked what is meant, where nobody was', () => {
    const player = new Player(policy({ roles: { planner: ['mine'], interpreter: ['mine'] } }), null)
    player.perform('HarvestContext')
    player.perform('ReadRequirement first', reads({ ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: reading('it counts') }))
    expect(actionsOf(player.run().state)[0]).toMatch(/^ropewalk resume d --attended/)
  })
  it('names the report and the proof beside the diff, and no proof where nothing is merged', () => {
    const player = new Player(policy(), [story('a')]).run()
    expect(actionsOf(player.state)).toEqual([
      ...['ropewalk diff', 'ropewalk report', 'ropewalk verify main', 'ropewalk cost'],
    ])
    const left = new Player(policy({ unattended: false }), [story('a')]).run({ Land: refuses('dirty', 'c0') })
    left.answer('leave')
    expect(actionsOf(left.run().state)).toEqual(['ropewalk diff', 'ropewalk report', 'ropewalk land'])
  })

  it('offers nothing to go on with where work was only to be reviewed, whatever the verdict is', () => {
    for (const word of [approval, objection([remark('leaks')])]) {
      const player = reviewing().run({ ReviewStory: says(word) })
      expect(actionsOf(player.state)).toEqual([
        `ropewalk diff review -d ${player.state.id}`,
        `ropewalk report ${player.state.id}`,
        `ropewalk cost ${player.state.id}`,
      ])
    }
  })

  it('names a review that has no verdict, since commands without a name are about deliveries', () => {
    const player = reviewing().run({ ReviewStory: says(absent) })
    expect(actionsOf(player.state)).toEqual([
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
    expect(actionsOf(player.state)).toEqual([...seen, again])
    const mending = new Player(policy({ checks: [suite('end')] }), [story('a')])
    while (mending.state.stories['mend-1'] === undefined) mending.performFirst({ Judge: finds(1, 'broken') })
    mending.tell({ type: 'SkipStory', story: 'mend-1', reason: 'not so', by: 'ada' })
    expect(actionsOf(mending.run().state)).toEqual([...seen, 'ropewalk retry mend-1 --advice "…"', again])
  })
})

describe('after a ceiling', () => {
  const next = (reason: string, day: string | null): string[] => {
    const state = initialState('d')
    state.mode = { status: 'ended', result: 'budget', reason: `the ceiling is reached: ${reason}`, concerns: [], at: 0 }
    state.money.spentDay = day === null ? null : { day, text: reason }
    return actionsOf(state)
  }

  it('the way on is the one that raises it', () => {
    const repin = 'ropewalk resume d --repin   (with higher ceilings in ropewalk.yaml)'
    expect(next('5 USD for the delivery', null)).toEqual(['ropewalk cost', 'ropewalk resume d --max-usd <more>'])
    expect(next('9 tokens for the story', null)).toEqual(['ropewalk cost', repin])
    const ofDay = next('5 USD for 2026-11-16', '2026-11-16')
    expect(ofDay).toEqual(['ropewalk cost', 'ropewalk resume d   (tomorrow)', repin])
  })
})
