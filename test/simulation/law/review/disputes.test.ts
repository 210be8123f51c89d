import { describe, expect, it } from 'vitest'
import type { Policy, ReviewPolicy } from '../../../../src/delivery/policy.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import type { Rebuttal } from '../../../../src/delivery/review/review.ts'
import { breaks, refuse, says, sorts, tries } from '../../endings.ts'
import { absent, approval, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria']

function atReview(review: Partial<ReviewPolicy> = {}, given: Partial<Policy> = {}): Player {
  const pinned = policy({ ...reviewed(review), ...given, roles: { triager: ['one'] } } as never)
  const player = new Player(pinned, [story('a')])
  player.perform('CodeStory a')
  player.perform('Judge a check:test')
  return player
}

const rebuts = (stance: Rebuttal['stance']) =>
  says({ ...approval, rebuttals: [{ fingerprint: 'review/leaks', stance, because: 'it is closed below' }] })

/** One has found something that blocks, the other approves and was asked about it. */
function rebutted(stance: Rebuttal['stance'], given: Partial<Policy> = {}): Player {
  const player = atReview({}, given)
  player.perform(first!, says(objection([remark('leaks')])))
  player.perform(second!)
  expect(player.due()).toEqual([second])
  expect(player.find(second!)).toMatchObject({ rebuts: [{ message: 'leaks' }], vantage: 'criteria', agent: 'two' })
  player.perform(second!, rebuts(stance))
  return player
}

describe('those who approved', () => {
  it.each(['upheld', 'unsure'] as const)('are asked about what others found, once; %s is no split', (stance) => {
    const player = rebutted(stance)
    expect(player.story('a').review.split).toEqual([])
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.state.concerns).toEqual([])
  })
  it('are not asked about what does not block', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('ugly', 'note')])))
    player.perform(second!)
    expect(player.due()).toEqual(['TriageFindings a'])
  })
  it('are not asked where the settings do not want it', () => {
    const player = atReview({ rebuttal: false })
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    expect(player.due()).toEqual(['TriageFindings a'])
  })
  it.each([
    ['do not return', says(absent)],
    ['cannot', breaks],
    ['take no turns', refuse('auth')],
  ])('may say nothing: they %s', (_, ending) => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform(second!, ending)
    expect(player.due()).toEqual(['TriageFindings a'])
    expect(player.story('a').review.split).toEqual([])
  })
  it('bring up nothing else when they are asked', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform(second!, says(objection([remark('other')])))
    expect(player.find('TriageFindings a')).toMatchObject({ findings: [{ message: 'leaks' }] })
  })
})

describe('a split', () => {
  it('blocks when nobody is there, and is told', () => {
    const player = rebutted('disputed')
    expect(player.find('TriageFindings a')).toMatchObject({ disputed: ['review/leaks'] })
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.state.concerns[0]).toMatch(/a: split: reviewers did not agree on 1/)
  })
  it('blocks when nobody is there even though the triager sides with who approved', () => {
    const player = rebutted('disputed')
    player.perform(
      'TriageFindings a',
      sorts(() => ({ fate: 'rejected' }), 'approve'),
    )
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it.each([
    ['blocking', ['CodeStory a']],
    ['trust', ['ComposeLine a']],
    ['review-again', [first, second]],
  ] as const)('is a human’s matter when one is there: %s', (option, due) => {
    const player = rebutted('disputed', { unattended: false })
    player.perform('TriageFindings a')
    player.perform('AskQuestion a')
    const [question] = openQuestions(player.state)
    expect(question).toMatchObject({ kind: 'split', default: null })
    expect(question!.evidence).toMatch(/leaks \(blocking\)\n.*if \(leaks\)\n.*criteria says: it is closed below/)
    player.answer(option)
    expect(player.due()).toEqual(due)
  })
  it('may be asked about again after it was reviewed again', () => {
    const player = rebutted('disputed', { unattended: false })
    player.perform('TriageFindings a')
    player.perform('AskQuestion a')
    player.answer('review-again')
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform(second!, rebuts('disputed'))
    player.perform('TriageFindings a')
    player.perform('AskQuestion a')
    player.answer('trust')
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.story('a').review.rejected).toMatchObject([{ because: 'somebody trusts those who approved' }])
  })
  it('that is reviewed again at a human’s word begins anew: what is found then is late for nobody, and rounds are as many as ever', () => {
    const player = atReview({}, { unattended: false })
    for (const round of [1, 2]) {
      player.perform(first!, says(objection([remark('leaks')])))
      player.perform(second!)
      player.perform(second!, rebuts(round === 1 ? 'upheld' : 'disputed'))
      player.perform('TriageFindings a')
      if (round === 2) break
      player.perform('CodeStory a')
      player.perform('Judge a check:test')
    }
    player.perform('AskQuestion a')
    player.answer('review-again')
    player.perform(first!, says(objection([remark('odd')], { outside: ['review/odd'] })))
    player.perform(second!, says(objection([remark('odd')], { outside: ['review/odd'] })))
    expect(player.story('a').review.deferred).toEqual([])
    player.perform('TriageFindings a')
    // The third round of all, and the first since the human spoke.
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('comes after too much was rejected, each asked for itself', () => {
    const player = rebutted('disputed', { unattended: false })
    player.perform(
      'TriageFindings a',
      sorts(() => ({ fate: 'rejected' }), 'approve'),
    )
    player.perform('AskQuestion a')
    player.answer('accept-all')
    expect(player.due()).toEqual(['AskQuestion a'])
    player.perform('AskQuestion a')
    expect(openQuestions(player.state)[0]?.kind).toBe('split')
  })
})

describe('findings that are tried by a test', () => {
  const found = [remark('one'), remark('two'), remark('three'), remark('four')]
  function atTests(): Player {
    const player = atReview({ verifyByTest: true })
    player.perform(first!, says(objection(found)))
    player.perform(second!, says(objection(found)))
    player.perform('TriageFindings a')
    return player
  }
  it('are as many as the limit allows', () => {
    expect(atTests().find('ReproduceFindings a')).toMatchObject({
      findings: [{ message: 'one' }, { message: 'two' }, { message: 'three' }],
    })
  })
  it('that fail as predicted are kept: the coder starts from them', () => {
    const player = atTests()
    player.perform(
      'ReproduceFindings a',
      tries(() => 'confirmed'),
    )
    const { red } = player.story('a').review
    const step = player.find('CodeStory a')
    expect(step).toMatchObject({ from: red!.commit })
    expect(red!.tests).toEqual(['test/one.test.ts', 'test/two.test.ts', 'test/three.test.ts'])
    expect('findings' in step ? step.findings[0]!.evidence : '').toMatch(/test\/one.test.ts fails because of it/)
  })
  it('that pass put the finding off, and it does not come back', () => {
    const player = atTests()
    const from = player.story('a').control
    player.perform(
      'ReproduceFindings a',
      tries(({ message }) => (message === 'one' ? 'refuted' : 'inconclusive')),
    )
    expect(player.find('CodeStory a')).toMatchObject({
      from: 'commit' in from ? from.commit : '',
      findings: [{ message: 'two' }, { message: 'three' }, { message: 'four' }],
    })
    expect(player.story('a').review.deferred).toMatchObject([{ finding: { message: 'one' } }])
  })
  it('that all pass let the work go on', () => {
    const player = atReview({ verifyByTest: true })
    player.perform(first!, says(objection([remark('one')])))
    player.perform(second!, says(objection([remark('one')])))
    player.perform('TriageFindings a')
    player.perform(
      'ReproduceFindings a',
      tries(() => 'refuted'),
    )
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().state.mode).toMatchObject({
      result: 'done-with-concerns',
      concerns: ['a: blocking, and put off (a test shows otherwise: so it went): a.ts:1: one'],
    })
  })
  it.each([
    ['the world refuses the turn', breaks],
    ['nobody takes turns', refuse('auth')],
  ])('never block: judgement stands where %s', (_, ending) => {
    const player = atTests()
    player.perform('ReproduceFindings a', ending)
    expect(player.story('a').findings.map(({ message }) => message)).toEqual(['one', 'two', 'three', 'four'])
    expect(player.status('a')).toBe('coding')
  })
  it('say nothing about findings that nobody asked about', () => {
    const player = atTests()
    player.perform('ReproduceFindings a', (step) => ({
      ...{ type: 'FindingsReproduced', step: step.id, story: 'a', red: null },
      reproductions: [{ fingerprint: 'review/four', result: 'refuted', test: null, why: 'so' }],
    }))
    expect(player.story('a').findings.map(({ message }) => message)).toContain('four')
  })
})

describe('a waiver of what reviewers found', () => {
  const waive = (player: Player, message: string) =>
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint: `review/${message}`, because: 'fine', by: 'me' })
  function sentBack(): Player {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks'), remark('ugly', 'suggestion')])))
    player.perform(second!, says(objection([remark('slow')])))
    player.perform('TriageFindings a')
    return player
  }
  it('lets the reviewed commit go on when nothing else blocks', () => {
    const player = sentBack()
    const { commit } = player.story('a').review.since!
    waive(player, 'leaks')
    expect(player.due()).toEqual(['CodeStory a'])
    waive(player, 'slow')
    expect(player.find('ComposeLine a')).toMatchObject({ commit })
    expect(player.run().result()).toBe('done')
  })
  it('holds in later rounds', () => {
    const player = sentBack()
    waive(player, 'leaks')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('brings back what the last round ended', () => {
    const player = new Player(policy({ ...reviewed(), limits: { reviewRounds: 1 } }), [story('a')])
    const none = { ReviewStory: says(objection([remark('leaks')])) }
    expect(player.run(none).result()).toBe('blocked')
    waive(player, 'leaks')
    expect(player.run().result()).toBe('done')
  })
})
