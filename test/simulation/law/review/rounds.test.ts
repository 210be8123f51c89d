import { describe, expect, it } from 'vitest'
import type { Limits, ReviewPolicy } from '../../../../src/delivery/policy.ts'
import type { ReviewStory } from '../../../../src/delivery/step.ts'
import * as endings from '../../endings.ts'
import { breaks, refuse, says } from '../../endings.ts'
import { absent, approval, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { agent, policy, story, suite } from '../../sample.ts'

interface Given {
  review?: Partial<ReviewPolicy>
  limits?: Partial<Limits>
  unattended?: boolean
  triager?: string[]
}

/** All judges have passed; reviewers are next. */
function atReview({ review, limits = {}, unattended = true, triager = ['one'] }: Given = {}): Player {
  const pinned = policy({ ...reviewed(review), limits, unattended, roles: { triager } })
  const player = new Player(pinned, [story('a', { criteria: ['it adds up'] })])
  player.perform('CodeStory a')
  player.perform('Judge a check:test')
  return player
}

const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria']
const nextTurn = (player: Player): ReviewStory => player.find(first!) as ReviewStory

describe('reviewers', () => {
  it('come after all judges, all at once, and before the line', () => {
    const player = atReview()
    expect(player.due()).toEqual([first, second])
    player.perform(first!)
    expect(player.due()).toEqual([second])
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().result()).toBe('done')
    expect(player.state.mode).toMatchObject({ concerns: [] })
  })
  it('are asked as many at a time as agents may work', () => {
    expect(atReview({ limits: { agents: 1 } }).due()).toEqual([first])
  })
  it('are not asked about red work', () => {
    const player = new Player(policy({ ...reviewed() }), [story('a')])
    player.perform('CodeStory a')
    expect(player.due()).toEqual(['Judge a check:test'])
  })
  it('are not asked about work that changes nothing', () => {
    const player = new Player(policy({ ...reviewed() }), [story('a', { mayBeEmpty: true })])
    player.perform('CodeStory a', (step) => ({
      ...{ type: 'StoryCoded', step: step.id, story: 'a', commit: 'c0', tree: 't0', summary: '', session: null },
      handoff: {
        quality: 'fallback',
        decisions: [],
        rejected: [],
        limitations: [],
        tests: [],
        files: [],
        notes: '',
      } as never,
    }))
    player.perform('Judge a check:test')
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().result()).toBe('done')
  })
  it('are a concern of the end when there are none and something was merged', () => {
    const player = new Player(policy(), [story('a')]).run()
    expect(player.state.mode).toMatchObject({
      result: 'done-with-concerns',
      concerns: ['no reviewer looked at it (review.reviewers is empty)'],
    })
  })
  it('are no concern of the end when nothing was merged', () => {
    const player = new Player(policy(), [story('a')])
    player.tell({ type: 'SkipStory', story: 'a', reason: 'no', by: 'me' })
    expect(player.run().state.mode).toMatchObject({ result: 'blocked', concerns: [] })
  })
  it('look at stories that mend the result as well', () => {
    let isRed = true
    const player = new Player(policy({ ...reviewed(), checks: [suite('end')] }), [story('a')])
    player.run({
      Judge: (step) => {
        const verdict = isRed && step.story === null ? endings.finds() : endings.passes
        if (step.story === null) isRed = false
        return verdict(step)
      },
    })
    expect(player.times('ReviewStory mend-1 correctness')).toBe(1)
    expect(player.result()).toBe('done')
  })
})

describe('a reviewer that did not return', () => {
  it('is a concern when another did', () => {
    const player = atReview()
    player.perform(first!, says(absent))
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.state.concerns[0]).toMatch(/a: nobody reviewed it for correctness: it was late/)
  })
  it('is asked once more when nobody did, then it stops', () => {
    const player = atReview()
    for (const seat of [first!, second!, first!, second!]) player.perform(seat, says(absent))
    expect(player.status('a')).toBe('failed')
    expect(player.story('a').control).toMatchObject({
      reason: expect.stringMatching(/no reviewer returned: correctness: it was late; criteria: it was late/),
    })
  })
  it.each([
    ['approves and names nothing it looked at', { ...approval, checked: [] }],
    ['refuses and names nothing to mend', objection([])],
  ])('is one that %s', (_, word) => {
    const player = atReview()
    player.perform(first!, says(word))
    player.perform(second!)
    expect(player.state.concerns[0]).toMatch(/nobody reviewed it for correctness/)
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('is one whose turn the world refused, and the other goes on', () => {
    const player = atReview()
    player.perform(first!, breaks)
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.state.concerns[0]).toMatch(/nobody reviewed it for correctness: no \(mend it\)/)
  })
  it('is one whose agent takes no turns until a human has seen to it', () => {
    const player = atReview()
    player.perform(first!, refuse('auth'))
    expect(player.due()).toEqual([second])
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.state.concerns[0]).toMatch(/nobody reviewed it for correctness: no agent takes the turn/)
  })
  it('is a human’s matter when all of them take no turns', () => {
    const player = atReview({ unattended: false })
    player.perform(first!, refuse('auth'))
    player.perform(second!, refuse('auth'))
    expect(player.due()).toEqual(['AskQuestion'])
    player.perform('AskQuestion')
    player.answer('retry')
    expect(player.due()).toEqual([first, second])
  })
})

describe('the author', () => {
  const chains = (agents: string[]) => [
    { vantage: 'correctness' as const, agents },
    { vantage: 'criteria' as const, agents },
  ]
  const modelsOf = (agents: Record<string, ReturnType<typeof agent>>, names: string[]) => {
    const { review } = reviewed({ reviewers: chains(names) })
    const player = new Player(policy({ agents, review }), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    return [first!, second!].map((seat) => (player.find(seat) as ReviewStory).model)
  }
  it('does not review its own work where another model is configured', () => {
    const mine = agent({ models: { fast: 'm0' } })
    expect(modelsOf({ mine, other: agent({ models: { fast: 'm9' } }) }, ['mine', 'other'])).toEqual(['m9', 'm9'])
    expect(modelsOf({ mine: agent({ models: { fast: 'm0', powerful: 'm5' } }) }, ['mine'])).toEqual(['m5', 'm5'])
  })
  it('leaves the seats to as many models as there are', () => {
    const agents = { mine: agent({ models: { fast: 'm0' } }), x: agent({ models: { fast: 'm1', balanced: 'm2' } }) }
    expect(modelsOf(agents, ['mine', 'x'])).toEqual(['m2', 'm1'])
  })
  it('reviews in another session where there is nobody else, and that is told', () => {
    expect(modelsOf({ mine: agent({ models: { fast: 'm0' } }) }, ['mine'])).toEqual(['m0', 'm0'])
  })
})

describe('agreement', () => {
  it('of one model with itself is unverified: it goes on, and is told', () => {
    const reviewers = [
      { vantage: 'correctness' as const, agents: ['one'] },
      { vantage: 'criteria' as const, agents: ['one'] },
    ]
    const player = atReview({ review: { reviewers } }).run()
    expect(player.story('a').review.unverified).toBe(true)
    expect(player.state.mode).toMatchObject({
      result: 'done-with-concerns',
      concerns: [expect.stringMatching(/^unverified: only one model has reviewed it \(m1\)/)],
    })
  })
  it('of two models is none of that', () => {
    const player = atReview().run()
    expect(player.story('a').review.unverified).toBe(false)
  })
})

describe('what reviewers find', () => {
  it('goes to the coder, and the next round looks at the change since and at what is open', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!, says(objection([remark('typo', 'suggestion')])))
    player.perform('TriageFindings a')
    expect(player.find('CodeStory a')).toMatchObject({
      findings: [
        { message: 'leaks', source: 'review:correctness' },
        { message: 'typo', severity: 'suggestion' },
      ],
    })
    const before = player.story('a').review.since
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    const { since, open, reviewRound } = nextTurn(player)
    expect([since, reviewRound]).toEqual([before!.commit, 2])
    expect(open.map(({ message }) => message)).toEqual(['leaks'])
    expect(player.run().result()).toBe('done')
  })
  it('is told once though both found it, as gravely as the graver says', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks', 'important')])))
    player.perform(second!, says(objection([remark('leaks')])))
    expect(player.find('TriageFindings a')).toMatchObject({ findings: [{ message: 'leaks', severity: 'blocking' }] })
  })
  it('does not come back once it was put off or rejected', () => {
    const player = atReview()
    const found = objection([remark('old', 'important'), remark('wrong', 'important'), remark('leaks')])
    player.perform(first!, says(found))
    player.perform(second!, says(objection([remark('leaks')])))
    const fates: Record<string, 'deferred' | 'rejected'> = { old: 'deferred', wrong: 'rejected' }
    const { sorts } = endings
    player.perform(
      'TriageFindings a',
      sorts(({ message }) => ({ fate: fates[message] ?? 'accepted' })),
    )
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform(first!, says(objection([remark('old', 'important'), remark('wrong')])))
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.story('a').review.deferred.map(({ finding }) => finding.message)).toEqual(['old'])
    expect(player.story('a').review.rejected.map(({ finding }) => finding.message)).toEqual(['wrong'])
  })
  it('in a later round, at a place that is as it was, is put off: goalposts stay', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!, says(objection([remark('leaks')])))
    player.perform('TriageFindings a')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform(first!, says(objection([remark('more')], { outside: ['review/more'] })))
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.story('a').review.deferred).toMatchObject([{ finding: { message: 'more' } }])
  })
  it('is still heard in a later round when it is open, wherever it is', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!, says(objection([remark('leaks')])))
    player.perform('TriageFindings a')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform(first!, says(objection([remark('leaks')], { outside: ['review/leaks'] })))
    player.perform(second!, says(objection([remark('leaks')])))
    expect(player.due()).toEqual(['TriageFindings a'])
  })
  it('moves every round: after three of them a human is asked', () => {
    const player = atReview({ unattended: false })
    for (let round = 1; round <= 3; round++) {
      if (round > 1) player.perform('CodeStory a')
      if (round > 1) player.perform('Judge a check:test')
      player.perform(first!, says(objection([remark(`other ${round}`)])))
      player.perform(second!, says(objection([remark(`more ${round}`)])))
      player.perform('TriageFindings a')
    }
    expect(player.status('a')).toBe('escalated')
    expect(player.story('a').control).toMatchObject({ reason: expect.stringMatching(/after 3 rounds: other 3/) })
    player.perform('AskQuestion a')
    player.answer('retry')
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    expect(nextTurn(player)).toMatchObject({ reviewRound: 4, since: null })
  })
  it('counts its rounds anew after work that passed', () => {
    const player = atReview()
    player.perform(first!)
    player.perform(second!)
    player.perform('ComposeLine a', endings.conflicts)
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    expect(player.story('a').review).toMatchObject({ round: 2, before: 1 })
  })
})

describe('criteria and the plan’s checklist', () => {
  const word = { criterion: 'it adds up', state: 'missing' as const, why: 'it subtracts' }
  it('send the work back when one is missing, whatever the reviewer concludes', () => {
    const player = atReview()
    player.perform(first!)
    player.perform(second!, says({ ...approval, criteria: [word] }))
    player.perform('ReviewStory a correctness')
    player.perform('ReviewStory a criteria')
    player.perform('TriageFindings a')
    expect(player.find('CodeStory a')).toMatchObject({ findings: [{ rule: 'criterion', severity: 'blocking' }] })
  })
  it('are those of the story: a reviewer sets no goals of its own', () => {
    const player = atReview()
    player.perform(first!, says({ ...approval, criteria: [{ ...word, criterion: 'it sings' }] }))
    player.perform(second!)
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it.each([
    ['failed', ['TriageFindings a'], []],
    ['unverifiable', ['ComposeLine a'], [expect.stringMatching(/checklist holds: no globals/)]],
    ['passed', ['ComposeLine a'], []],
  ] as const)('are reported: %s', (state, due, concerns) => {
    const player = atReview({ review: { rebuttal: false } })
    const outline = { checklist: [{ must: false, item: 'no globals' }] } as never
    player.state.plan.plan = { ...player.state.plan.plan!, outline }
    const word = { ...approval, checklist: [{ item: 'no globals', state, why: 'seen' }] }
    player.perform(first!, says(word))
    player.perform(second!, says(word))
    expect(player.due()).toEqual(due)
    expect(player.state.concerns).toEqual(concerns)
  })
})

describe('other settings', () => {
  it('begin the review anew, or end it where nobody is left', () => {
    const player = atReview()
    player.perform(first!, says(objection([remark('leaks')])))
    const { agents, review } = reviewed()
    const repin = (reviewers: ReviewPolicy['reviewers'], policyHash: string) =>
      player.tell({
        type: 'RepinPolicy',
        policy: policy({ agents, review: { ...review, reviewers } }),
        policyHash,
        by: 'me',
      })
    repin([{ vantage: 'security', agents: ['two'] }], 'p2')
    expect(player.due()).toEqual(['ReviewStory a security'])
    repin([], 'p3')
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().state.mode).toMatchObject({
      concerns: ['no reviewer looked at it (review.reviewers is empty)'],
    })
  })
})
