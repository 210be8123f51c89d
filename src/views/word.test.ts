import { describe, expect, it } from 'vitest'
import { Player } from '../../test/simulation/player.ts'
import { begunOn, fold, policy, requested, story } from '../../test/simulation/sample.ts'
import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { results } from '../delivery/step.ts'
import { concernsOf } from './report/report.ts'
import { statusView } from './status.ts'
import { summaryView } from './summary.ts'
import { deliveryWord, deliveryWords } from './word.ts'

const begun = begunOn(policy(), [story('a')])
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
