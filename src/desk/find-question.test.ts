import { describe, expect, it } from 'vitest'
import { fold, policy, requested, story } from '../../test/simulation/sample.ts'
import { dueSteps } from '../delivery/due.ts'
import type { DeliveryEvent } from '../delivery/events.ts'
import { findQuestion } from './answers.ts'

function atTheGate() {
  const events: DeliveryEvent[] = requested(policy({ gates: 'plan' }), [story('a')])
  const [step] = dueSteps(fold(events), { at: 0, day: '', open: true, changesAt: null }).steps
  if (step?.verb !== 'AskQuestion') throw new Error('the gate asks')
  events.push({ type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 })
  events.push({ type: 'QuestionAsked', step: step.id, question: step.question })
  return fold(events)
}

describe('findQuestion', () => {
  it('needs no name when only one question waits', () => {
    expect(findQuestion(atTheGate(), 'approve', undefined).id).toBe('plan-1')
  })

  it('takes an id, and lists what there is for a wrong one', () => {
    expect(findQuestion(atTheGate(), 'approve', 'plan-1').id).toBe('plan-1')
    expect(() => findQuestion(atTheGate(), 'approve', 'plan-2')).toThrow(
      expect.objectContaining({ remedy: 'name one of: plan-1' }),
    )
  })

  it('says when nothing waits', () => {
    const state = fold(requested(policy(), [story('a')]))
    expect(() => findQuestion(state, 'approve', undefined)).toThrow('no question is waiting for "approve"')
  })
})
