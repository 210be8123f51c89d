import { describe, expect, it } from 'vitest'
import type { Policy, ReviewPolicy } from '../../../../src/delivery/policy.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import { says, sorts } from '../../endings.ts'
import { absent, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { reviewing } from '../../reviewing.ts'
import { policy, story } from '../../sample.ts'

const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria']
const oneModel: ReviewPolicy['reviewers'] = [
  { vantage: 'correctness', agents: ['one'] },
  { vantage: 'criteria', agents: ['one'] },
]

interface Given extends Partial<Omit<Policy, 'review' | 'limits'>> {
  review?: Partial<ReviewPolicy>
  limits?: Partial<Policy['limits']>
  ids?: string[]
}

function atReview({ review, ids = ['a'], ...given }: Given = {}): Player {
  const roles = { triager: ['one'] }
  const pinned = policy({ ...reviewed({ reviewers: oneModel, ...review }), unattended: false, ...given, roles })
  const player = new Player(
    pinned,
    ids.map((id) => story(id)),
  )
  for (const id of ids) {
    player.perform(`CodeStory ${id}`)
    player.perform(`Judge ${id} check:test`)
  }
  return player
}

/** All have approved, and the question is put. */
function agreed(given: Given = {}): Player {
  const player = atReview(given)
  player.perform(first!)
  player.perform(second!)
  player.perform('AskQuestion a')
  return player
}

describe('agreement of one model with itself', () => {
  it('is asked about, with who looked at what, and goes on by itself when nobody answers', () => {
    const player = agreed()
    const [question] = openQuestions(player.state)
    expect(question).toMatchObject({
      ...{ kind: 'unverified', default: 'trust', story: 'a', id: 'unverified-a-1' },
      text: 'All 2 reviewers of a approve, but all of them are the same model (m1). Is that enough?',
      evidence: '- correctness looked at: all of it\n- criteria looked at: all of it',
      options: ['trust', 'trust-all', 'review-again', 'blocking'].map((id) => ({ id })),
    })
    expect(player.due()).toEqual([])
    player.at = player.wakeAt()!
    player.perform('CloseQuestion a')
    expect(player.run().state.mode).toMatchObject({
      result: 'done-with-concerns',
      concerns: [expect.stringMatching(/^unverified: only one model has reviewed it \(m1\)/)],
    })
  })
  it('goes on when a human trusts it, and nothing is held against it', () => {
    const player = agreed()
    player.answer('trust')
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().result()).toBe('done')
    expect(player.story('a').review).toMatchObject({ unverified: true, trustedBy: 'somebody' })
    expect(player.state.concerns).toEqual([])
  })
  it('is reviewed once more when a human wants it, as often as they want it', () => {
    const player = agreed({ limits: { reviewRounds: 1 } })
    player.answer('review-again')
    expect(player.due()).toEqual([first, second])
    expect(player.find(first!)).toMatchObject({ reviewRound: 2, since: null })
    player.perform(first!)
    player.perform(second!)
    player.perform('AskQuestion a')
    player.answer('trust')
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('is worth nothing against what a human finds: it goes to the coder, and reviewers look whether it is mended', () => {
    const player = agreed({ limits: { reviewRounds: 1, turnsPerStory: 1 } })
    expect(player.answer('blocking')).toMatchObject({ refused: 'you have not said what has to be fixed' })
    player.answer('blocking', 'It forgets the tax.')
    const findings = [{ source: 'human', severity: 'blocking', message: 'It forgets the tax.' }]
    expect(player.find('CodeStory a')).toMatchObject({ findings })
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    expect(player.find(first!)).toMatchObject({ open: findings })
  })
})

describe('who trusts one model for all', () => {
  const given = { ids: ['a', 'b'], limits: { agents: 9 } }
  it('is not asked again in this delivery, nor about what was asked already', () => {
    const player = atReview({ ...given, ids: ['a', 'b', 'c'] })
    for (const id of ['a', 'b']) {
      for (const vantage of ['correctness', 'criteria']) player.perform(`ReviewStory ${id} ${vantage}`)
      player.perform(`AskQuestion ${id}`)
    }
    expect(openQuestions(player.state)).toHaveLength(2)
    player.answer('trust-all')
    expect(openQuestions(player.state)).toEqual([])
    expect(player.status('b')).toBe('composing')
    expect(player.run().result()).toBe('done')
    expect(player.story('c').review).toMatchObject({ unverified: true, trustedBy: 'somebody' })
    expect(player.state.mode).toMatchObject({ concerns: [] })
  })
  it('has said so of nothing else: a split is asked about', () => {
    const player = atReview(given)
    for (const vantage of ['correctness', 'criteria']) player.perform(`ReviewStory a ${vantage}`)
    player.perform('AskQuestion a')
    player.answer('trust-all')
    const [one, other] = ['ReviewStory b correctness', 'ReviewStory b criteria']
    player.perform(one!, says(objection([remark('leaks')])))
    player.perform(other!)
    player.perform(other!)
    player.perform(
      'TriageFindings b',
      sorts(() => ({ fate: 'rejected' }), 'approve'),
    )
    player.perform('AskQuestion b')
    expect(openQuestions(player.state)).toMatchObject([{ kind: 'triage' }])
  })
})

describe('nobody is asked whether one model will do', () => {
  it.each<[string, Given]>([
    ['where nobody is there', { unattended: true }],
    ['where the settings only tell it', { review: { unverified: 'tell' } }],
    ['of one reviewer, who agrees with nobody', { review: { reviewers: oneModel.slice(0, 1) } }],
  ])('%s: it is told', (_, given) => {
    const player = atReview(given).run()
    expect(Object.keys(player.state.questions)).toEqual([])
    expect(player.state.mode).toMatchObject({ result: 'done-with-concerns' })
    expect(player.state.concerns[0]).toMatch(/^unverified: only one model/)
  })
  it('where two models agree', () => {
    const player = atReview({ review: { reviewers: reviewed().review.reviewers } }).run()
    expect(player.result()).toBe('done')
  })
  it('where only one of them came back', () => {
    const player = atReview()
    player.perform(first!)
    player.perform(second!, says(absent))
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('where one of them found what a human let go', () => {
    const player = atReview({ review: { rebuttal: false } })
    player.perform(first!, says(objection([remark('leaks')])))
    player.perform(second!)
    player.perform(
      'TriageFindings a',
      sorts(() => ({ fate: 'rejected' }), 'approve'),
    )
    player.perform('AskQuestion a')
    player.answer('trust-triage')
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('but where all approve and had a remark or two, somebody is', () => {
    const player = atReview()
    player.perform(first!, says({ ...objection([remark('ugly', 'note')]), verdict: 'approve' } as never))
    player.perform(second!)
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['AskQuestion a'])
  })
  it('about work that is only reviewed: it is told', () => {
    const player = reviewing({ unattended: false, review: { ...reviewed().review, reviewers: oneModel } }).run()
    expect(Object.keys(player.state.questions)).toEqual([])
    expect(player.state.mode).toMatchObject({ result: 'done-with-concerns' })
  })
})
