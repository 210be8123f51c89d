import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../../src/delivery/events.ts'
import { precisionOf } from '../../../../src/delivery/review/course/record.ts'
import { says, sorts, tries } from '../../endings.ts'
import { absent, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { nobodyCodes, reviewAsked, reviewing } from '../../reviewing.ts'
import { policy, story } from '../../sample.ts'

const seats = ['ReviewStory review correctness', 'ReviewStory review criteria']

describe('a delivery that only wants a review', () => {
  it('needs reviewers, and neither a planner nor a coder', () => {
    expect(reviewAsked(policy({ roles: nobodyCodes }))).toMatchObject({
      refused: expect.stringMatching(/nobody to review/),
    })
    expect(reviewing().due()).toEqual(seats)
  })
  it('looks at the range that was named', () => {
    expect(reviewing().find(seats[0]!)).toMatchObject({ base: 'c1', commit: 'c2', tree: 't2', since: null })
  })
  it('is done when all approve, and nothing is landed', () => {
    const one = reviewing().run()
    expect(one.result()).toBe('done')
    expect(one.story('review').control).toMatchObject({ status: 'reviewed', verdict: 'approve' })
    expect(one.performed.map(({ verb }) => verb)).toEqual(['ReviewStory', 'ReviewStory', 'CompleteDelivery'])
  })
  it('is blocked when it needs work, with what was found; nobody codes', () => {
    const one = reviewing().run({ ReviewStory: says(objection([remark('leaks')])) })
    expect(one.state.mode).toMatchObject({ result: 'blocked', reason: 'it needs work: leaks' })
    expect(one.story('review').control).toMatchObject({ status: 'reviewed', verdict: 'needs-work' })
    expect(one.story('review').findings).toMatchObject([{ message: 'leaks' }])
    expect(one.times('CodeStory review')).toBe(0)
  })
  it('is done after all when what was found is waived', () => {
    const one = reviewing().run({ ReviewStory: says(objection([remark('leaks')])) })
    one.tell({ type: 'WaiveFinding', story: 'review', fingerprint: 'review/leaks', because: 'fine', by: 'me' })
    expect(one.run().result()).toBe('done')
  })
  it('begins again when a human says so after nobody returned', () => {
    const one = reviewing({ unattended: false })
    for (const seat of [...seats, ...seats]) one.perform(seat, says(absent))
    one.perform('AskQuestion review')
    one.answer('retry')
    expect(one.due()).toEqual(seats)
    expect(one.run().result()).toBe('done')
  })
  it('takes no plan', () => {
    const given = reviewing().tell({ type: 'GivePlan', plan: { stories: [story('a')], outline: null }, cause: 'mine' })
    expect(given).toMatchObject({ refused: expect.stringMatching(/have begun/) })
  })
})

describe('the precision of reviewers', () => {
  it('is what became of their findings', () => {
    const pinned = policy({ ...reviewed({ verifyByTest: true }), roles: { triager: ['one'] } })
    const one = new Player(pinned, [story('a')])
    one.perform('CodeStory a')
    one.perform('Judge a check:test')
    const found = ['true', 'false', 'old'].map((message) => remark(message, 'important'))
    one.perform('ReviewStory a correctness', says(objection(found)))
    one.perform('ReviewStory a criteria', says(objection([found[0]!, remark('waived')])))
    const fates: Record<string, 'rejected' | 'deferred'> = { false: 'rejected', old: 'deferred' }
    one.perform(
      'TriageFindings a',
      sorts(({ message }) => ({ fate: fates[message] ?? 'accepted' })),
    )
    one.perform(
      'ReproduceFindings a',
      tries(({ message }) => (message === 'true' ? 'confirmed' : 'inconclusive')),
    )
    one.tell({ type: 'WaiveFinding', story: 'a', fingerprint: 'review/waived', because: 'fine', by: 'me' })
    const none = { accepted: 0, deferred: 0, rejected: 0, confirmed: 0, refuted: 0, waived: 0 }
    const events: DeliveryEvent[] = one.log
    expect(precisionOf(events)).toEqual([
      {
        ...{ ...none, agent: 'one', model: 'm1', vantage: 'correctness', reviews: 1, raised: 3 },
        ...{ accepted: 1, deferred: 1, rejected: 1, confirmed: 1 },
      },
      {
        ...{ ...none, agent: 'two', model: 'm2', vantage: 'criteria', reviews: 1, raised: 2 },
        ...{ accepted: 2, confirmed: 1, waived: 1 },
      },
    ])
  })
})
