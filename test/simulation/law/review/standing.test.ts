// What stands when reviewers, agents or settings change under a review.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/delivery/decide.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import { initialState } from '../../../../src/delivery/state.ts'
import type { CodeStory, ReviewStory } from '../../../../src/delivery/step.ts'
import { conflicts, finds, refuse, says, sorts, tries } from '../../endings.ts'
import { absent, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { agent, policy, request, single, story } from '../../sample.ts'

const subject = { base: 'c1', commit: 'c2', tree: 't2', title: 'A branch', description: '', criteria: [], calls: [] }

function ofSubject(given: Partial<Policy>, review = subject): Player {
  const pinned = policy({ ...reviewed(), ...given, roles: { coder: ['mine'], triager: ['one'] } } as never)
  const decision = decide({ ...request(pinned, null), review } as never, initialState('d'))
  if ('refused' in decision) throw new Error(decision.refused)
  return new Player(pinned, null, decision.events)
}

function coded(pinned: Policy): Player {
  const player = new Player(pinned, [story('a')])
  player.perform('CodeStory a')
  player.perform('Judge a check:test')
  return player
}

const [first, second, third] = ['correctness', 'criteria', 'security'].map((vantage) => `ReviewStory a ${vantage}`)

describe('a reviewer that is at work', () => {
  const seats = [
    { vantage: 'correctness' as const, agents: ['two'] },
    { vantage: 'criteria' as const, agents: ['one'] },
    { vantage: 'security' as const, agents: ['one'] },
  ]
  it('is heard though its agent takes no further turns', () => {
    const player = coded(policy({ ...reviewed({ reviewers: seats, rebuttal: false }), roles: { triager: ['two'] } }))
    player.perform(first!)
    const [other, late] = [player.start(second!), player.start(third!)]
    player.end(other, refuse('auth'))
    expect(player.status('a')).toBe('reviewing')
    player.end(late, says(objection([remark('leaks')])))
    expect(player.status('a')).toBe('triaging')
    expect(player.state.concerns).toEqual([expect.stringMatching(/nobody reviewed it for criteria/)])
  })
  it('so is who tries findings by a test', () => {
    const given = { ...reviewed({ verifyByTest: true, rebuttal: false }), roles: { testWriter: ['two'] } }
    const player = new Player(policy(given), [story('a'), story('b')])
    for (const id of ['a', 'b']) {
      player.perform(`CodeStory ${id}`)
      player.perform(`Judge ${id} check:test`)
      player.perform(`ReviewStory ${id} correctness`, says(objection([remark('leaks')])))
      player.perform(`ReviewStory ${id} criteria`)
    }
    const [one, other] = [player.start('ReproduceFindings a'), player.start('ReproduceFindings b')]
    player.end(other, refuse('auth'))
    player.end(
      one,
      tries(() => 'refuted'),
    )
    expect(player.status('a')).toBe('composing')
  })
})

describe('what only is to be looked at', () => {
  it('is never merged, not even when nothing was changed', () => {
    const player = ofSubject({}, { ...subject, base: 'c2' }).run()
    expect(player.performed.map(({ verb }) => verb)).not.toContain('ComposeLine')
    expect(player.story('review').control).toMatchObject({ status: 'reviewed' })
  })
  it('is given to no coder and to nobody who would work on it', () => {
    const player = ofSubject({ unattended: false }).run({ ReviewStory: says(absent) })
    expect(openQuestions(player.state)[0]?.options.map(({ id }) => id)).toEqual(['retry', 'skip', 'fail', 'stop'])
  })
})

describe('an approval', () => {
  it('is of what was looked at, and not of what came after when nobody looks any more', () => {
    const pinned = policy(reviewed())
    const player = coded(pinned)
    player.perform(first!)
    player.perform(second!)
    player.perform('ComposeLine a', conflicts)
    const alone = { ...pinned, review: { ...pinned.review, reviewers: [] } }
    player.tell({ type: 'RepinPolicy', policy: alone, policyHash: 'p2', by: 'me' })
    player.run()
    expect(player.state.mode).toMatchObject({ concerns: [expect.stringMatching(/no reviewer looked at it/)] })
  })
})

describe('what blocks and is put off', () => {
  it('in a later round, at a place that is as it was, is named at the end', () => {
    const player = coded(policy({ ...reviewed({ rebuttal: false }), roles: { triager: ['one'] } }))
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform('TriageFindings a')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    const late = [remark('races'), remark('is long', 'suggestion')]
    player.perform(first!, says(objection(late, { outside: late.map(({ fingerprint }) => fingerprint) })))
    player.perform(second!)
    expect(player.run().result()).toBe('done-with-concerns')
    expect(player.state.mode).toMatchObject({ concerns: [expect.stringMatching(/^a: .*a\.ts:1: races/)] })
  })
  it('for want of a quotation, where nobody sorts, is named at the end', () => {
    const player = coded(policy(reviewed({ rebuttal: false })))
    player.perform(first!, says(objection([{ ...remark('races'), evidence: '' }])))
    player.perform(second!)
    expect(player.run().result()).toBe('done-with-concerns')
    expect(player.state.mode).toMatchObject({ concerns: [expect.stringMatching(/^a: .*races/)] })
  })
})

describe('a later round', () => {
  it('shows all of the work to who has not looked at it yet, and the change since to who has', () => {
    const player = coded(policy({ ...reviewed({ rebuttal: false }), roles: { triager: ['one'] } }))
    const { commit } = player.perform(first!, says(objection([remark('leaks')]))) as ReviewStory
    player.perform(second!, says(absent))
    player.perform('TriageFindings a')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    expect([first!, second!].map((name) => player.find(name))).toMatchObject([{ since: commit }, { since: null }])
  })
})

describe('what was found', () => {
  const again = (player: Player): void => {
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
  }
  it('is told to the coder until it is mended, whatever a check says meanwhile', () => {
    const player = coded(policy({ ...reviewed({ rebuttal: false }), roles: { triager: ['one'] } }))
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform('TriageFindings a')
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds(1, 'red'))
    const { findings } = player.find('CodeStory a') as CodeStory
    expect(findings.map(({ message }) => message)).toEqual(['red', 'leaks'])
    again(player)
    expect(player.status('a')).toBe('reviewing')
  })
  it('of a criterion that was met in part is not heard again, but that it is missing now is', () => {
    const criterion = 'it adds up'
    const player = new Player(policy({ ...reviewed({ rebuttal: false }), roles: { triager: ['one'] } }), [
      story('a', { criteria: [criterion] }),
    ])
    const word = (state: 'partial' | 'missing') => ({ criteria: [{ criterion, state, why: 'seen' }] })
    again(player)
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!, says(objection([], word('partial'))))
    player.perform(
      'TriageFindings a',
      sorts(({ rule }) => (rule === 'criterion' ? { fate: 'rejected' } : {})),
    )
    again(player)
    player.perform(first!)
    player.perform(second!, says(objection([], word('missing'))))
    expect(player.status('a')).toBe('triaging')
  })
})

describe('a waiver after another attempt was begun', () => {
  it('goes on with the code that was reviewed, and not with tests that come first', () => {
    const given = { checks: [single()], strategy: 'tdd' as const, unattended: false, limits: { reviewRounds: 1 } }
    const player = new Player(policy({ ...reviewed(), ...given, roles: { triager: ['one'] } }), [story('a')])
    const isReviewed = () => player.status('a') === 'reviewing'
    while (!isReviewed()) player.performFirst({})
    player.run({ ReviewStory: says(objection([remark('leaks')])) })
    player.answer('retry')
    expect(player.find('CodeStory a')).toMatchObject({ phase: 'tests' })
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint: 'review/leaks', because: 'fine', by: 'me' })
    player.perform('ComposeLine a', conflicts)
    expect(player.find('CodeStory a')).toMatchObject({ phase: 'code' })
  })
})

describe('a ceiling', () => {
  const ceilings = { usdPerDelivery: 2 }
  const given = (roles: Partial<Policy['roles']>): Policy => {
    const pinned = policy({ agents: { mine: agent(), dear: agent({ reserveUsd: 5 }) }, roles })
    return { ...pinned, ceilings: { ...pinned.ceilings, ...ceilings } }
  }
  it('that keeps the plan from being audited is why it ends', () => {
    const player = new Player(given({ planner: ['mine'], challenger: ['dear'] }), null)
    player.perform('DraftPlan', (step) => ({
      ...{ type: 'PlanDrafted', step: step.id, revision: 1, cause: '' },
      plan: { stories: [story('a')], outline: null },
    }))
    expect(player.run().state.mode).toMatchObject({ result: 'budget' })
  })
  it('that keeps the requirement from being read is why it ends', () => {
    const player = new Player(given({ planner: ['mine'], interpreter: ['dear'] }), null)
    expect(player.run().state.mode).toMatchObject({ result: 'budget' })
  })
})
