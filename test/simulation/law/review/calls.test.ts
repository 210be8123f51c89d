import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../../src/delivery/events.ts'
import type { Policy, ReviewPolicy } from '../../../../src/delivery/policy.ts'
import { precisionOf } from '../../../../src/delivery/review/course/record.ts'
import type { Vantage } from '../../../../src/delivery/review/review.ts'
import { calls, codes, finds, refuse, says } from '../../endings.ts'
import { absent, approval, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { reviewing } from '../../reviewing.ts'
import { agent, policy, story } from '../../sample.ts'

const judges = ['inspection', 'check:test']
const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria']
const seat = (vantage: Vantage): string => `ReviewStory a ${vantage}`

/** All judges have passed, and the diff calls to be looked at from there. */
function atReview(called: Vantage[], review: Partial<ReviewPolicy> = {}, given: Partial<Policy> = {}): Player {
  const pinned = policy({ ...reviewed(review), judges, ...given, limits: { agents: 9 }, roles: { triager: ['one'] } })
  const player = new Player(pinned, [story('a')])
  code(player, called)
  return player
}

function code(player: Player, called: Vantage[]): void {
  player.perform('CodeStory a')
  player.perform('Judge a inspection', calls(...called))
  player.perform('Judge a check:test')
}

describe('a diff that calls for more reviewers', () => {
  it('has them, the gravest two, besides those of the settings', () => {
    expect(atReview([]).due()).toEqual([first, second])
    expect(atReview(['tests']).due()).toEqual([first, second, seat('tests')])
    expect(atReview(['tests', 'ui', 'api', 'migration', 'security']).due()).toEqual([
      ...[first, second],
      ...[seat('security'), seat('migration')],
    ])
  })
  it('has none twice', () => {
    const reviewers = [{ vantage: 'security' as const, agents: ['one'] }]
    expect(atReview(['security', 'ui'], { reviewers }).due()).toEqual([seat('security'), seat('ui')])
  })
  it('has none where the settings do not follow it, or where nobody reviews', () => {
    expect(atReview(['security'], { followDiff: false }).due()).toEqual([first, second])
    expect(atReview(['security'], { reviewers: [] }).due()).toEqual(['ComposeLine a'])
    const nobody = [{ vantage: 'criteria' as const, agents: [] }]
    expect(atReview(['security'], { reviewers: nobody }).due()).toEqual(['ComposeLine a'])
  })
  it('is what it was in a log that says nothing of it', () => {
    const player = new Player(policy({ ...reviewed(), judges }), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a inspection')
    player.perform('Judge a check:test')
    expect(player.due()).toEqual([first, second])
  })
  it('is looked at by any agent that reviews, rather not by who wrote it or sits elsewhere', () => {
    const agents = {
      mine: agent({ models: { fast: 'm0' } }),
      one: agent({ models: { powerful: 'm1' } }),
      two: agent({ models: { powerful: 'm2' } }),
    }
    const reviewers = [{ vantage: 'correctness' as const, agents: ['mine', 'one', 'two'] }]
    const player = atReview(['api'], { reviewers }, { agents })
    expect(player.find(first!)).toMatchObject({ agent: 'one' })
    expect(player.find(seat('api'))).toMatchObject({ agent: 'two', vantage: 'api' })
  })
  it('goes on only when they have spoken, and what they find counts', () => {
    const player = atReview(['security'])
    player.perform(first!)
    player.perform(second!)
    expect(player.due()).toEqual([seat('security')])
    player.perform(seat('security'), says(objection([remark('leaks')])))
    expect(player.due()).toEqual([first, second])
    expect(player.find(first!)).toMatchObject({ rebuts: [{ message: 'leaks', source: 'review:security' }] })
    player.perform(first!)
    player.perform(second!)
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('has a concern when they do not come back, or take no turns', () => {
    const player = atReview(['security', 'ui'])
    player.perform(first!)
    player.perform(second!)
    player.perform(seat('security'), says(absent))
    player.perform(seat('ui'), says(absent))
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.state.concerns).toEqual([
      'a: nobody reviewed it for security: it was late',
      'a: nobody reviewed it for ui: it was late',
    ])
    const other = atReview(['security'])
    other.perform(first!)
    other.perform(second!)
    other.perform(seat('security'), refuse('auth'))
    other.perform(seat('security'), refuse('auth'))
    expect(other.due()).toEqual(['ComposeLine a'])
  })
})

describe('who was called for', () => {
  it('sees what it found through, though the diff no longer calls for it', () => {
    const player = atReview(['security'])
    player.perform(first!)
    player.perform(second!)
    player.perform(seat('security'), says(objection([remark('leaks')])))
    player.perform(first!)
    player.perform(second!)
    player.perform('TriageFindings a')
    code(player, [])
    expect(player.due()).toEqual([first, second, seat('security')])
    const open = [{ message: 'leaks' }]
    expect(player.find(seat('security'))).toMatchObject({ reviewRound: 2, open, since: expect.any(String) })
  })
  it('is called for by the diff that is reviewed: neither by tests that came first nor by another attempt', () => {
    const player = atReview([], {}, {})
    player.run({ ReviewStory: says(approval) })
    expect(player.story('a').review.calls).toEqual([])
    const related = { name: 'test', run: 'npm test', related: 'npm test {files}' }
    const tdd = policy({ ...reviewed(), judges, strategy: 'tdd' })
    const one = new Player({ ...tdd, checks: tdd.checks.map((check) => ({ ...check, ...related })) }, [story('a')])
    one.perform('CodeStory a')
    one.perform('Judge a inspection', calls('tests'))
    one.perform('Judge a red')
    one.perform('CodeStory a', codes('t-other'))
    one.perform('Judge a inspection', calls('api'))
    expect(one.story('a').review.calls).toEqual(['api'])
  })
  it('is called for by work that an inspection sends back, too, until the next one', () => {
    const player = new Player(policy({ ...reviewed(), judges, limits: { agents: 9 } }), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a inspection', (step) => ({ ...finds()(step), calls: ['security'] }) as DeliveryEvent)
    expect(player.story('a').review.calls).toEqual(['security'])
    code(player, ['ui'])
    expect(player.due()).toEqual([first, second, seat('ui')])
    expect(player.story('a').review.calls).toEqual(['ui'])
  })
  it('has a precision of its own', () => {
    const player = atReview(['security'], { rebuttal: false })
    player.perform(first!)
    player.perform(second!)
    player.perform(seat('security'), says(objection([remark('leaks')])))
    player.perform('TriageFindings a')
    expect(precisionOf(player.log).find(({ vantage }) => vantage === 'security')).toMatchObject({
      ...{ reviews: 1, raised: 1, accepted: 1 },
    })
  })
  it('looks at work that is only reviewed, too', () => {
    const called = reviewing({}, { calls: ['migration'] })
    expect(called.due()).toContain('ReviewStory review migration')
    expect(called.run().result()).toBe('done')
    expect(reviewing().due()).not.toContain('ReviewStory review migration')
  })
})
