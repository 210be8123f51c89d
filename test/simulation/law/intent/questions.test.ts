import { describe, expect, it } from 'vitest'
import type { IntentPolicy } from '../../../../src/delivery/policy.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import { misreads, reads } from '../../endings.ts'
import { reading, vague } from '../../judgement-sample.ts'
import type { Player } from '../../player.ts'
import { story } from '../../sample.ts'
import { begun, readers } from './reader.ts'

const one = reading('the list is sorted by name')
const two = reading('old entries vanish after a week')
const rival = { word: 'sorted', reading: reading('things are put into boxes'), evidence: 'src/box.ts' }
const first = { reading: one, rivals: [rival], criteria: ['sorted'], question: 'Sorted by what?' }
const there = { unattended: false }

/** Nobody to clear it: the reading stays uncertain. */
const doubtful = (given: Parameters<typeof begun>[0] = there, more: Parameters<typeof reads>[0] = {}): Player => {
  const player = begun(given)
  player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'uncertain', ...more }))
  for (let tries = 0; tries < 2; tries++) player.perform('ReadRequirement second', misreads)
  return player
}
const asked = (player: Player) => {
  player.perform('AskQuestion')
  return openQuestions(player.state)[0]!
}

describe('a human is asked what is meant', () => {
  it('with the readings, their size and evidence, a default and a deadline', () => {
    const player = doubtful()
    expect(player.due()).toEqual(['AskQuestion'])
    const question = asked(player)
    expect(question).toMatchObject({ id: 'intent-1', kind: 'intent', text: 'Sorted by what?', default: 'reading-1' })
    expect(question.options).toEqual([
      { id: 'reading-1', label: 'the list is sorted by name (small)' },
      { id: 'reading-2', label: 'things are put into boxes (small)' },
      { id: 'best-judgement', label: expect.any(String) },
      { id: 'abandon', label: expect.any(String) },
    ])
    expect(question.evidence).toMatch(/it is uncertain \(self-reported: Sorted by what\?\)/)
    expect(question.evidence).toMatch(/if "sorted" is read otherwise: src\/box.ts/)
    expect(question.deadlineAt).toBe(readers().limits.questionDeadlineMs)
    expect(player.due()).toEqual([])
  })
  it('anew when others have read it since: an answer is one to what was shown', () => {
    const player = begun({ ...there, roles: { challenger: [] } })
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'ambiguous' }))
    expect(asked(player)).toMatchObject({ id: 'intent-1' })
    player.tell({ type: 'RepinPolicy', policy: readers(there), policyHash: 'p2', by: 'me' })
    for (const seat of ['challenger-1', 'challenger-2'])
      player.perform(`ReadRequirement ${seat}`, reads({ ...first, reading: two, rivals: [] }))
    const question = asked(player)
    expect(question.id).toBe('intent-2')
    player.answer('reading-2')
    const chosen = question.options.find(({ id }) => id === 'reading-2')
    expect(`${player.state.intent.meaning?.reading.summary} (small)`).toBe(chosen?.label)
  })
  it('without a default what readers dispute, also by whoever comes after it blocked a vague requirement', () => {
    const player = begun({ unattended: true }, vague)
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'ambiguous' }))
    player.perform('ReadRequirement challenger-1', reads({ ...first, reading: two }))
    player.perform('ReadRequirement challenger-2', reads({ ...first, reading: rival.reading }))
    expect(player.run().result()).toBe('blocked')
    player.tell({ type: 'RepinPolicy', policy: readers(there), policyHash: 'p2', by: 'me' })
    player.tell({ type: 'ResumeDelivery', by: 'me' })
    expect(asked(player)).toMatchObject({ default: null, deadlineAt: null })
    expect(player.due()).toEqual([])
  })
  it('without a default where the reading cannot be defended, and then without a deadline', () => {
    const player = doubtful(there, { defensible: false })
    expect(asked(player)).toMatchObject({ default: null, deadlineAt: null })
    expect(player.wakeAt()).toBeNull()
  })
  it('for a value that nobody has given, however clear the rest is, and nothing stands in for it', () => {
    const player = begun(there)
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'clear', missing: ['the price of tea'] }))
    const question = asked(player)
    expect(question).toMatchObject({ kind: 'intent', default: null, deadlineAt: null })
    expect(question.evidence).toMatch(/nobody has given what it needs: the price of tea/)
    expect(player.answer('reading-1', ' ')).toMatchObject({ refused: 'these are still missing: the price of tea' })
    player.answer('reading-1', 'it is 199')
    expect(player.state.intent.contract?.answers).toMatchObject([{ answer: expect.stringMatching(/it is 199$/) }])
    expect(player.due()).toEqual(['DraftPlan'])
  })
  it('for no value where another reading is chosen, or all is left to us', () => {
    for (const option of ['reading-2', 'best-judgement']) {
      const player = begun(there)
      player.perform('ReadRequirement first', reads({ ...first, missing: ['the price of tea'] }))
      asked(player)
      player.answer(option)
      expect(player.due()).toEqual(['DraftPlan'])
    }
  })
  it('at once when the requirement is vague, before others are asked', () => {
    const player = begun(there, vague)
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'ambiguous' }))
    expect(player.due()).toEqual(['AskQuestion'])
    expect(asked(player).evidence).toMatch(/vague \(testable: nothing can be tested; criteria: it has none\)\./)
    expect(player.state.concerns).toEqual([])
  })
  it('whether to go on with it as it stands, where nobody could read it', () => {
    const player = begun(there)
    for (let tries = 0; tries < 2; tries++) player.perform('ReadRequirement first', misreads)
    expect(asked(player).options.map(({ id }) => id)).toEqual(['best-judgement', 'abandon'])
    player.answer('best-judgement')
    expect(player.state.intent.meaning).toMatchObject({ seat: null, by: 'somebody' })
    expect(player.due()).toEqual(['DraftPlan'])
  })
})

describe('intent.confirm', () => {
  const clear = (confirm: 'never' | 'uncertain' | 'always', unattended = false) => {
    const player = begun({ unattended, intent: { confirm } })
    player.perform('ReadRequirement first', reads(first))
    return player
  }
  it('uncertain asks only when something is left of the doubt', () => {
    expect(clear('uncertain').due()).toEqual(['DraftPlan'])
    expect(doubtful().due()).toEqual(['AskQuestion'])
  })
  it('always asks, but not where nobody is there', () => {
    expect(clear('always').due()).toEqual(['AskQuestion'])
    expect(asked(clear('always')).evidence).toMatch(/to be confirmed/)
    expect(clear('always', true).due()).toEqual(['DraftPlan'])
    expect(clear('always', true).state.concerns).toEqual([])
  })
  it('never asks nobody, and tells what was taken', () => {
    expect(clear('never').due()).toEqual(['DraftPlan'])
    const player = doubtful({ unattended: false, intent: { confirm: 'never' } })
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.concerns.at(-1)).toMatch(/nobody was asked.*taken as: the list is sorted by name/)
  })
  it('never ends it where readers differ and none can be defended', () => {
    const player = begun({ unattended: false, intent: { confirm: 'never' }, roles: { challenger: [] } })
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: two }))
    expect(player.run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/readers differ/),
    })
  })
})

describe('an answer', () => {
  const answer = (option: string, text = '') => {
    const player = doubtful()
    asked(player)
    player.answer(option, text)
    return player
  }
  it('settles it on that reading, and is part of the contract', () => {
    const player = answer('reading-1', 'by family name')
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.intent).toMatchObject({
      meaning: { reading: one, seat: 'first', by: 'somebody' },
      contract: {
        criteria: ['sorted'],
        answers: [{ question: 'Sorted by what?', answer: 'the list is sorted by name (small): by family name' }],
      },
    })
    expect(player.state.intent.contract?.hash).not.toBe(answer('reading-1').state.intent.contract?.hash)
  })
  it('may be a rival: then what can be observed of it are the criteria', () => {
    expect(answer('reading-2').state.intent).toMatchObject({
      meaning: { reading: rival.reading, seat: 'first' },
      contract: { criteria: rival.reading.behaviours },
    })
  })
  it('may leave it to us', () => {
    expect(answer('best-judgement').state.intent.meaning).toMatchObject({ reading: one, by: 'somebody' })
  })
  it('may abandon it; resumed, it is asked again', () => {
    const player = answer('abandon')
    expect(player.run().result()).toBe('stopped')
    player.tell({ type: 'ResumeDelivery', by: 'me' })
    expect(asked(player).id).toBe('intent-2')
    player.answer('reading-1')
    expect(player.due()).toEqual(['DraftPlan'])
  })
  it('that does not come in time is the default, which is no word of a human', () => {
    const player = doubtful()
    player.at = asked(player).deadlineAt!
    player.perform('CloseQuestion')
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.intent).toMatchObject({ meaning: { reading: one, by: 'deadline' }, contract: { answers: [] } })
    expect(player.state.concerns.at(-1)).toMatch(/nobody answered.*taken as: the list is sorted by name/)
  })
  it('that comes late, or is none of the options, is refused', () => {
    const player = doubtful()
    asked(player)
    expect(player.answer('reading-9')).toMatchObject({ refused: expect.stringMatching(/not an answer/) })
    player.answer('reading-1')
    const again = { type: 'AnswerQuestion', question: 'intent-1', option: 'reading-2', text: '', by: 'me' } as const
    expect(player.tell(again)).toMatchObject({ refused: expect.stringMatching(/already answered/) })
  })
  it('is not waited for when a plan is given meanwhile', () => {
    const player = doubtful()
    asked(player)
    player.tell({ type: 'GivePlan', plan: { stories: [story('a')], outline: null }, cause: 'x' })
    expect(player.due()).toEqual(['CodeStory a'])
    expect(openQuestions(player.state)).toEqual([])
  })
})

describe('where nobody is there', () => {
  const alone = { unattended: true }
  it('a reading that can be defended is taken, and told', () => {
    const player = doubtful(alone)
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.concerns.at(-1)).toMatch(/nobody was asked what is meant, though it is uncertain/)
  })
  it('it never picks between readings of different outcome: it is blocked, with its questions', () => {
    const player = begun({ ...alone, roles: { challenger: [] } })
    player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: two }))
    expect(player.run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/Sorted by what\?.*1\. the list is sorted by name.*2\. old entries/s),
    })
    player.tell({ type: 'ResumeDelivery', by: 'me' })
    expect(player.run().result()).toBe('blocked')
    player.tell({
      type: 'RepinPolicy',
      policy: readers({ ...there, roles: { challenger: [] } }),
      policyHash: 'p2',
      by: 'me',
    })
    player.tell({ type: 'ResumeDelivery', by: 'me' })
    expect(asked(player)).toMatchObject({ kind: 'intent', default: null })
  })
  it('a reading that its own reader would not defend is not taken, though nobody has come to another', () => {
    const end = (intent: Partial<IntentPolicy>) => {
      const player = begun({ ...alone, roles: { challenger: [] }, intent })
      player.perform('ReadRequirement first', reads({ ...first, ambiguity: 'ambiguous', defensible: false }))
      return player
    }
    expect(end({}).run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/it is ambiguous.*1\. the list is sorted by name.*2\. /s),
    })
    expect(end({ confirm: 'never' }).run().result()).toBe('blocked')
  })
  it('a value that nobody has given is not made up, though all readers agree', () => {
    for (const ambiguity of ['clear', 'uncertain'] as const) {
      const player = begun(alone)
      player.perform('ReadRequirement first', reads({ ...first, ambiguity, missing: ['the price of tea'] }))
      if (ambiguity === 'uncertain') player.perform('ReadRequirement second', reads(first))
      expect(player.run().state.mode).toMatchObject({
        result: 'blocked',
        reason: expect.stringMatching(/nobody has given what it needs: the price of tea/),
      })
    }
  })
  it('a vague requirement is taken only if the reading can be defended', () => {
    const end = (defensible: boolean) => {
      const player = begun(alone, vague)
      player.perform('ReadRequirement first', reads({ ...first, defensible }))
      player.perform('ReadRequirement second', reads({ ...first, defensible }))
      return player
    }
    expect(end(true).due()).toEqual(['DraftPlan'])
    expect(end(true).state.concerns.at(-1)).toMatch(/vague.*taken as: the list is sorted by name/)
    expect(end(false).run().state.mode).toMatchObject({ result: 'blocked', reason: expect.stringMatching(/vague/) })
  })
  it('what was asked while somebody was there is settled when they leave', () => {
    const player = doubtful()
    asked(player)
    player.tell({ type: 'RepinPolicy', policy: readers(alone), policyHash: 'p2', by: 'me' })
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.intent.meaning).toMatchObject({ reading: one })
  })
})
