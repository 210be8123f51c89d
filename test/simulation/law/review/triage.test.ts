import { describe, expect, it } from 'vitest'
import type { Policy, ReviewPolicy } from '../../../../src/delivery/policy.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import type { Opinion, SortedFindings } from '../../../../src/delivery/review/review.ts'
import type { Ending } from '../../endings.ts'
import { breaks, says, sorts } from '../../endings.ts'
import { approval, objection, remark, reviewed } from '../../judgement-sample.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const [first, second] = ['ReviewStory a correctness', 'ReviewStory a criteria']
const two = [remark('leaks'), remark('slow', 'important')]

interface Given {
  findings?: typeof two
  unattended?: boolean
  roles?: Partial<Policy['roles']>
  review?: Partial<ReviewPolicy>
  outside?: string[]
}

/** Both reviewers have found something; it is to be sorted. */
function atTriage({ findings = two, unattended = true, roles, review, outside = [] }: Given = {}): Player {
  const pinned = policy({ ...reviewed(review), unattended, roles: roles ?? { triager: ['one'] } })
  const player = new Player(pinned, [story('a')])
  player.perform('CodeStory a')
  player.perform('Judge a check:test')
  player.perform(first!, says(objection(findings, { outside })))
  player.perform(second!, says(objection(findings)))
  return player
}

const triaged = (sorted: SortedFindings[], verdict: Opinion = 'approve'): Ending => {
  return (step) => ({ type: 'FindingsTriaged', step: step.id, story: 'a', sorted, verdict })
}
const faulted: Ending = (step) => ({ type: 'TriageFaulted', step: step.id, story: 'a', problems: ['prose'] })
const word = (message: string, given: Partial<SortedFindings> = {}): SortedFindings => ({
  ...{ fingerprint: `review/${message}`, fate: 'accepted', severity: 'blocking', because: `about ${message}` },
  ...given,
})
const rejected = (message: string, because = `about ${message}`): SortedFindings =>
  word(message, { fate: 'rejected', because })
const many = ['leaks', 'slow', 'ugly', 'long', 'odd'].map((message) => remark(message, 'important'))

describe('a triager', () => {
  it('is not asked when nothing was found', () => {
    const player = new Player(policy({ ...reviewed(), roles: { triager: ['one'] } }), [story('a')]).run()
    expect(player.times('TriageFindings a')).toBe(0)
    expect(player.result()).toBe('done')
  })
  it('is the planner where none is named', () => {
    expect(atTriage({ roles: { planner: ['two'] } }).find('TriageFindings a')).toMatchObject({ agent: 'two' })
  })
  it('sets the severity, and what does not block is only listed', () => {
    const player = atTriage({ findings: [remark('slow', 'important'), remark('ugly', 'note')] })
    player.perform(
      'TriageFindings a',
      sorts(({ message }) => (message === 'slow' ? { severity: 'note' } : {})),
    )
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.story('a').review.deferred.map(({ finding }) => finding.message)).toEqual(['slow', 'ugly'])
  })
  it('is asked in whatever the settings say blocks', () => {
    const player = atTriage({ findings: [remark('ugly', 'suggestion')], review: { blocks: ['suggestion'] } })
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('may put off what is blocking where the change did not touch it', () => {
    const player = atTriage({ findings: [remark('leaks')], outside: ['review/leaks'] })
    expect(player.find('TriageFindings a')).toMatchObject({ outside: ['review/leaks'] })
    player.perform('TriageFindings a', triaged([word('leaks', { fate: 'deferred' })]))
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.story('a').review.deferred).toMatchObject([{ because: 'about leaks' }])
  })
})

describe('where nobody sorts', () => {
  it('what has a quotation and is about the change counts', () => {
    const findings = [remark('leaks'), { ...remark('vague'), evidence: '' }, remark('old')]
    const player = atTriage({ findings, roles: {}, outside: ['review/old'] })
    expect(player.find('CodeStory a')).toMatchObject({ findings: [{ message: 'leaks' }] })
    expect(player.story('a').review.deferred.map(({ finding }) => finding.message)).toEqual(['vague', 'old'])
  })
})

describe('an answer of a triager that does not do', () => {
  const bad: [name: string, ending: Ending, problem: RegExp][] = [
    ['names a finding that nobody made', triaged([...two.map(of), word('invented')]), /no finding review\/invented/],
    ['asks for more than was found', triaged([...two.map(of), word('rename it all')]), /no finding/],
    ['leaves one out', triaged([word('leaks')]), /nothing is said about review\/slow/],
    ['is empty', triaged([]), /nothing is said about review\/leaks/],
    ['gives no reason', triaged([word('leaks', { because: ' ' }), word('slow')]), /without a reason/],
    [
      'sorts one in two ways',
      triaged([word('leaks'), rejected('leaks'), word('slow')]),
      /review\/leaks is sorted in two ways/,
    ],
    [
      'rejects several for one reason',
      triaged([rejected('leaks', 'Out of scope.'), rejected('slow', 'out of scope')]),
      /review\/slow is rejected for the very reason of another/,
    ],
    ['is prose', faulted, /prose/],
    ['never came, or was too late', breaks, /no \(mend it\)/],
  ]
  const all = triaged([word('invented'), rejected('leaks', 'no'), word('leaks', { because: '' })])

  it.each([...bad, ['is all of it together', all, /no finding/] as (typeof bad)[number]])(
    '%s',
    (_, ending, problem) => {
      const player = atTriage()
      player.perform('TriageFindings a', ending)
      expect(player.story('a').control).toMatchObject({
        problems: expect.arrayContaining([expect.stringMatching(problem)]),
      })
      player.perform('TriageFindings a', ending)
      expect(player.status('a')).toBe('failed')
      expect(player.story('a').control).toMatchObject({ reason: expect.stringMatching(/could not be sorted/) })
      expect(player.run().result()).toBe('blocked')
      expect(player.times('ComposeLine a')).toBe(0)
    },
  )
  it('does the second time, when it is mended', () => {
    const player = atTriage()
    player.perform('TriageFindings a', triaged([]))
    player.perform('TriageFindings a')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('says the same twice: that is once', () => {
    const player = atTriage()
    player.perform('TriageFindings a', triaged([word('leaks'), word('leaks'), word('slow')]))
    expect(player.find('CodeStory a')).toMatchObject({ findings: [{ message: 'leaks' }, { message: 'slow' }] })
  })
})

function of({ message }: { message: string }): SortedFindings {
  return word(message)
}

describe('a contradiction', () => {
  it('of an approval with something that blocks: it goes back', () => {
    const player = atTriage()
    player.perform(
      'TriageFindings a',
      sorts(() => ({}), 'approve'),
    )
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('of a refusal without: it goes on', () => {
    const player = atTriage({ findings: [remark('ugly', 'note')] })
    player.perform(
      'TriageFindings a',
      sorts(() => ({}), 'needs-work'),
    )
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('of a reviewer that approves with something that blocks is none', () => {
    const player = new Player(policy({ ...reviewed(), roles: { triager: ['one'] } }), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform(first!, says({ ...approval, findings: two }))
    player.perform(second!, says({ ...approval, findings: two }))
    expect(player.due()).toEqual(['TriageFindings a'])
  })
})

describe('a triager that rejects too much', () => {
  const easily: [name: string, sorted: SortedFindings[]][] = [
    ['rejects what is blocking', [rejected('leaks'), word('slow', { severity: 'note' })]],
    ['talks down what is blocking', [word('leaks', { severity: 'note' }), word('slow', { severity: 'note' })]],
    ['puts off what is blocking and about the change', [word('leaks', { fate: 'deferred' }), rejected('slow')]],
  ]
  it.each(easily)('%s: when nobody is there it counts', (_, sorted) => {
    const player = atTriage()
    player.perform('TriageFindings a', triaged(sorted))
    const step = player.find('CodeStory a')
    expect('findings' in step ? step.findings[0] : null).toMatchObject({ message: 'leaks', severity: 'blocking' })
    expect(player.state.concerns[0]).toMatch(/the triager wanted to drop 1 of 2 findings/)
  })
  it.each(easily)('%s: a human is asked, with the evidence', (_, sorted) => {
    const player = atTriage({ unattended: false })
    player.perform('TriageFindings a', triaged(sorted))
    player.perform('AskQuestion a')
    const [question] = openQuestions(player.state)
    expect(question).toMatchObject({ kind: 'triage', default: null, deadlineAt: null })
    expect(question!.evidence).toMatch(/^1\. a\.ts:1: leaks \(blocking\)\n {3}if \(leaks\)\n {3}.*about leaks$/)
  })
  const most = many.map(({ message }, place) =>
    place < 4 ? rejected(message) : word(message, { severity: 'important' }),
  )
  it('drops most of many: when nobody is there only what blocks counts all the same', () => {
    const player = atTriage({ findings: many })
    player.perform('TriageFindings a', triaged(most))
    expect(player.find('CodeStory a')).toMatchObject({ findings: [{ message: 'odd' }] })
    expect(player.state.concerns[0]).toMatch(/wanted to drop 4 of 5/)
  })
  it.each([
    ['accept-all', '', ['leaks', 'slow', 'ugly', 'long', 'odd']],
    ['trust-triage', '', ['odd']],
    ['decide', '2 and 3', ['slow', 'ugly', 'odd']],
  ])('is answered with %s', (option, text, left) => {
    const player = atTriage({ findings: many, unattended: false })
    player.perform('TriageFindings a', triaged(most))
    player.perform('AskQuestion a')
    player.answer(option, text)
    const step = player.find('CodeStory a')
    expect('findings' in step ? step.findings.map(({ message }) => message) : []).toEqual(left)
  })
  it('is not answered by numbers that are none', () => {
    const player = atTriage({ findings: many, unattended: false })
    player.perform('TriageFindings a', triaged(most))
    player.perform('AskQuestion a')
    expect(player.answer('decide', 'the second')).toMatchObject({ refused: expect.stringMatching(/which of them/) })
    expect(player.answer('decide', '9')).toMatchObject({ refused: expect.stringMatching(/which of them/) })
  })
  it('does not when it rejects three of five that do not block', () => {
    const player = atTriage({ findings: many, unattended: false })
    const some = many.map(({ message }, place) => (place < 3 ? rejected(message) : word(message, { severity: 'note' })))
    player.perform('TriageFindings a', triaged(some))
    expect(player.due()).toEqual(['ComposeLine a'])
  })
  it('does not when it rejects all of four that do not block', () => {
    const player = atTriage({ findings: many.slice(0, 4), unattended: false })
    player.perform('TriageFindings a', triaged(many.slice(0, 4).map(({ message }) => rejected(message))))
    expect(player.due()).toEqual(['ComposeLine a'])
  })
})
