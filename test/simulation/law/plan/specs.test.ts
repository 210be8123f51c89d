import { describe, expect, it } from 'vitest'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import type { Ending } from '../../endings.ts'
import { drafts, fails } from '../../endings.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const by = 'somebody'
const roles = { coder: ['mine'], planner: ['mine'] }
const limits = { attemptsPerStory: 1, roundsPerAttempt: 1 }
type Given = Parameters<typeof policy>[0]

/** With a plan that a planner has drafted. */
function drafted(stories: Story[], given: Given = {}): Player {
  const player = new Player(policy({ roles, limits, ...given }), null)
  player.perform('DraftPlan', drafts({ outline: null, stories }))
  return player
}

const respecifies =
  (changes: Partial<Story>): Ending =>
  (step) => ({ type: 'StoryRespecified', step: step.id, story: step.story!, changes, cause: 'the port is 8080' })

const splits =
  (...into: Story[]): Ending =>
  (step) => ({ type: 'StorySplit', step: step.id, story: step.story!, into, cause: 'two things at once' })

const badSpec = fails('bad-spec', 'it says 80 and 8080')
const large = story('a', { complexity: 5, criteria: ['one', 'two'], files: ['x'] })
const pieces = [
  story('a-1', { criteria: ['One.'], files: ['x'] }),
  story('a-2', { criteria: ['two'], dependsOn: ['a-1'], complexity: 2 }),
]
const chain = [story('base'), { ...large, dependsOn: ['base'] }, story('z', { dependsOn: ['a'] })]

/** The story is to be split: its only attempt came to nothing. */
function toBeSplit(given: Given = {}, stories = [large]): Player {
  const player = drafted(stories, given)
  while (!player.due().includes('CodeStory a')) player.performFirst({})
  player.perform('CodeStory a', fails('empty'))
  return player
}

describe('a story that cannot be done as it is specified', () => {
  it('is specified anew by the planner, with its history, and begins again', () => {
    const player = drafted([story('a', { description: 'port 80' })])
    player.perform('CodeStory a', badSpec)
    expect(player.find('RespecifyStory a')).toMatchObject({
      ...{ as: 'amended', agent: 'mine', problems: [] },
      reason: 'it cannot be done as it is specified: it says 80 and 8080',
    })
    player.perform('RespecifyStory a', respecifies({ description: 'port 8080' }))
    const { spec, former, revision, attempt, past } = player.story('a')
    expect(spec.description).toBe('port 8080')
    expect(former).toMatchObject([{ as: 'amended', cause: 'the port is 8080', spec: { description: 'port 80' } }])
    expect({ revision, attempt }).toEqual({ revision: 2, attempt: 2 })
    expect(past).toMatchObject([{ ended: expect.stringContaining('it says 80 and 8080') }])
    expect(player.run().result()).toBe('done-with-concerns')
    expect(player.state.concerns).toContain('a was specified anew: the port is 8080')
  })
  it('is asked for once more when the planner changes nothing, and then it needs a human', () => {
    const player = drafted([story('a')], { unattended: false })
    player.perform('CodeStory a', badSpec)
    player.perform('RespecifyStory a', respecifies({}))
    expect(player.find('RespecifyStory a')).toMatchObject({ problems: ['nothing is different from what it was'] })
    player.perform('RespecifyStory a', respecifies({}))
    expect(player.story('a').control).toMatchObject({
      status: 'escalated',
      reason: expect.stringMatching(/it says 80 and 8080; and no better specification was found: nothing is different/),
    })
  })
  it.each<[string, Partial<Story>, RegExp]>([
    ['change protected files', { mayChange: ['package.json'] }, /may not change package.json/],
    ['be empty', { mayBeEmpty: true }, /may not be empty/],
    ['do without tests', { strategy: 'none', noTestsBecause: 'so' }, /may not do without tests/],
    ['have weaker tests', { tests: 'characterisation' }, /must fail first/],
    ['lose a proof', { proofs: [] }, /a proof is missing.*file-exists/],
    ['name our settings', { files: ['ropewalk.yaml'] }, /changed by people only/],
    ['leave the repository', { files: ['../x'] }, /not a path inside the repository/],
    ['depend on itself', { dependsOn: ['a'] }, /depends on itself/],
    ['be too large', { criteria: Array.from({ length: 16 }, String) }, /limits.criteriaPerStory/],
  ])('may not %s by a planner that specifies it anew', (_, changes, problem) => {
    const player = drafted([story('a', { proofs: [{ type: 'file-exists', path: 'x' }] })])
    player.perform('CodeStory a', badSpec)
    player.perform('RespecifyStory a', respecifies(changes))
    expect(player.find('RespecifyStory a')).toMatchObject({ problems: [expect.stringMatching(problem)] })
  })
  it('keeps what a human has let it change, however much that is', () => {
    const player = new Player(policy({ roles, limits, unattended: false }), [story('a', { mayChange: ['**'] })])
    player.perform('CodeStory a', badSpec)
    player.perform('AskQuestion a')
    player.answer('amend')
    player.perform('RespecifyStory a', respecifies({ description: 'port 8080' }))
    expect(player.status('a')).toBe('respecified')
  })
  it('is amended so often as the limit says', () => {
    const player = drafted([story('a')], { limits: { amendmentsPerStory: 2 } })
    let count = 0
    const other: Ending = (step) => respecifies({ title: `title ${++count}` })(step)
    player.run({ CodeStory: badSpec, RespecifyStory: other })
    expect(player.times('RespecifyStory a')).toBe(2)
    expect(player.story('a').control).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/amended 2 times/),
    })
  })
  it('fails, or needs a human, where nobody plans or a human has planned it', () => {
    const given = new Player(policy({ roles }), [story('a')])
    given.perform('CodeStory a', badSpec)
    expect(given.story('a').control).toMatchObject({ reason: expect.stringMatching(/a human planned it/) })
    const alone = new Player(policy(), [story('a')])
    alone.perform('CodeStory a', badSpec)
    expect(alone.status('a')).toBe('failed')
  })
  it('waits for a yes where a human has a say in the plan, and goes back with a no', () => {
    const player = drafted([story('a')], { gates: 'plan', unattended: false })
    player.perform('AskQuestion')
    player.answer('approve')
    player.perform('CodeStory a', badSpec)
    player.perform('RespecifyStory a', respecifies({ title: 'other' }))
    expect(player.due()).toEqual(['AskQuestion a'])
    player.perform('AskQuestion a')
    expect(openQuestions(player.state)).toMatchObject([{ kind: 'spec-gate', evidence: '- title: "a" → "other"' }])
    player.answer('reject', 'keep the title')
    expect(player.find('RespecifyStory a')).toMatchObject({ problems: ['keep the title'] })
    player.perform('RespecifyStory a', respecifies({ description: 'more' }))
    player.perform('AskQuestion a')
    player.answer('approve')
    expect(player.story('a').spec).toMatchObject({ title: 'a', description: 'more' })
    expect(player.run().status('a')).toBe('merged')
  })
})

describe('a story that nobody could do', () => {
  it('is split, and its parts take its place: what it needed they need, and who needed it needs all of them', () => {
    const player = toBeSplit({}, chain)
    expect(player.find('RespecifyStory a')).toMatchObject({
      as: 'split',
      reason: expect.stringMatching(/all attempts failed/),
    })
    player.perform('RespecifyStory a', splits(...pieces))
    expect(player.state.order).toEqual(['base', 'a', 'a-1', 'a-2', 'z'])
    expect(player.story('a').control).toMatchObject({
      status: 'split',
      into: ['a-1', 'a-2'],
      reason: 'two things at once',
    })
    expect(player.story('a-1')).toMatchObject({ origin: 'a', spec: { dependsOn: ['base'] } })
    expect(player.story('a-2').spec.dependsOn).toEqual(['base', 'a-1'])
    expect(player.story('z').spec.dependsOn).toEqual(['a-1', 'a-2'])
    expect(player.due()).toEqual(['CodeStory a-1'])
    expect(player.run().result()).toBe('done-with-concerns')
    expect(player.state.order.map((id) => player.status(id))).toEqual(['merged', 'split', 'merged', 'merged', 'merged'])
    expect(player.state.concerns).toContain('a was split: two things at once')
  })
  it('leaves what is on the line where it is', () => {
    const player = toBeSplit({}, chain)
    const { tip, commits } = player.state.line
    player.perform('RespecifyStory a', splits(...pieces))
    expect(player.state.line).toMatchObject({ tip, commits })
    expect(player.status('base')).toBe('joined')
  })
  it('keeps what it was to fulfil in the plan', () => {
    const player = new Player(policy({ roles, limits }), null)
    const covers = [{ criterion: 'one', stories: ['a'] }]
    const outline = {
      ...{ approach: '', runnerUp: { approach: '', lostBecause: '' }, invariants: [], nonGoals: [], tradeOffs: [] },
      ...{ checklist: [], switchWhen: '', risks: [], covers },
    }
    player.perform('DraftPlan', drafts({ stories: [large], outline }))
    player.perform('CodeStory a', fails('empty'))
    player.perform('RespecifyStory a', splits(...pieces))
    expect(player.state.plan.plan?.outline?.covers).toEqual([{ criterion: 'one', stories: ['a-1', 'a-2'] }])
    expect(player.state.plan.plan?.stories.map(({ id }) => id)).toEqual(['a-1', 'a-2'])
  })
  it.each<[string, Story[], RegExp]>([
    ['into one', [pieces[0]!], /2 to 8 stories, and not 1/],
    ['into many', Array.from({ length: 9 }, (_, i) => story(`p${i}`)), /2 to 8 stories, and not 9/],
    [
      'under a name that is taken',
      [story('Z', { criteria: ['one', 'two'] }), story('q')],
      /there is a story Z already/,
    ],
    ['under its own name', [story('a', { criteria: ['one', 'two'] }), story('q')], /there is a story a already/],
    ['under a name that is a path', [story('../a', { criteria: ['one', 'two'] }), story('q')], /story id "..\/a"/],
    [
      'into one as large',
      [story('p', { complexity: 5, criteria: ['one', 'two'] }), story('q')],
      /p is not smaller than a/,
    ],
    [
      'without one of its criteria',
      [story('p', { criteria: ['one'] }), story('q')],
      /none of them has this criterion: two/,
    ],
    ['in a circle', [story('p', { criteria: ['one', 'two'], dependsOn: ['z'] }), story('q')], /in a circle/],
    [
      'needing the whole',
      [story('p', { criteria: ['one', 'two'], dependsOn: ['a'] }), story('q')],
      /depends on a, which is not/,
    ],
    [
      'with more rights',
      [story('p', { criteria: ['one', 'two'], mayChange: ['ci'] }), story('q')],
      /may not change ci/,
    ],
  ])('is not split %s', (_, into, problem) => {
    const player = toBeSplit({}, chain)
    player.perform('RespecifyStory a', splits(...into))
    const { problems } = player.find('RespecifyStory a') as { problems: string[] }
    expect(problems.join('; ')).toMatch(problem)
    expect(player.state.order).toEqual(['base', 'a', 'z'])
  })
  it('is not split beyond what a plan may have', () => {
    const player = toBeSplit({ limits: { ...limits, storiesPerPlan: 1 } })
    player.perform('RespecifyStory a', splits(...pieces))
    expect(player.find('RespecifyStory a')).toMatchObject({ problems: [expect.stringMatching(/at most 1/)] })
  })
  it('is not split when it is small, was split off, or is a human’s', () => {
    const small = drafted([story('a')])
    small.perform('CodeStory a', fails('empty'))
    expect(small.status('a')).toBe('failed')
    const given = new Player(policy({ roles, limits }), [large])
    given.perform('CodeStory a', fails('empty'))
    expect(given.status('a')).toBe('failed')
    const player = toBeSplit()
    player.perform('RespecifyStory a', splits({ ...pieces[0]!, complexity: 2 }, pieces[1]!))
    player.perform('CodeStory a-1', fails('empty'))
    expect(player.status('a-1')).toBe('failed')
  })
  it('is not split for what is not its fault', () => {
    const player = drafted([large], { limits: { ...limits, crashesPerStory: 1 } })
    player.perform('CodeStory a', fails('crash'))
    expect(player.status('a')).toBe('failed')
  })
  it('that was split is spoken of no more', () => {
    const player = toBeSplit()
    player.perform('RespecifyStory a', splits(...pieces))
    for (const type of ['RetryStory', 'SkipStory', 'AmendStory'] as const)
      expect(player.tell({ type, story: 'a', advice: '', reason: '', changes: {}, by } as never)).toMatchObject({
        refused: 'a was split into a-1, a-2',
      })
  })
  it('splits of two stories that come to the same name do not both stand', () => {
    const player = drafted([large, { ...large, id: 'b', files: ['y'] }], { gates: 'plan', unattended: false })
    player.perform('AskQuestion')
    player.answer('approve')
    for (const id of ['a', 'b']) {
      player.perform(`CodeStory ${id}`, fails('empty'))
      player.perform(`RespecifyStory ${id}`, splits(...pieces))
      player.perform(`AskQuestion ${id}`)
    }
    player.answer('approve')
    player.answer('approve')
    expect(player.status('a')).toBe('split')
    expect(player.find('RespecifyStory b')).toMatchObject({
      problems: expect.arrayContaining(['there is a story a-1 already']),
    })
  })
})

describe('a gap in what is wanted', () => {
  const gap = fails('intent-gap', 'which users?')
  const attended = { unattended: false, limits: { agents: 1 } }

  it('holds up everybody until a human has said what is wanted; that becomes part of what was asked for', () => {
    const player = new Player(policy(attended), [story('a'), story('b')])
    player.perform('CodeStory a', gap)
    expect(player.due()).toEqual(['AskQuestion a'])
    player.perform('AskQuestion a')
    expect(player.due()).toEqual([])
    const before = player.state.intent.contract?.hash
    expect(player.answer('answer')).toMatchObject({ refused: 'the answer is empty' })
    player.answer('answer', 'all of them')
    expect(player.state.intent.contract?.hash).not.toBe(before)
    expect(player.state.intent.contract?.answers).toMatchObject([{ answer: 'all of them', by: 'somebody' }])
    expect(player.find('CodeStory a')).toMatchObject({
      attempt: 2,
      findings: [{ source: 'human', message: expect.stringContaining('all of them') }],
    })
    expect(player.run().status('b')).toBe('merged')
  })
  it('is left to the coder, which is told', () => {
    const player = new Player(policy(attended), [story('a')])
    player.perform('CodeStory a', gap)
    player.perform('AskQuestion a')
    player.answer('best-judgement')
    expect(player.state.concerns.join()).toMatch(/best judgement/)
    expect(player.status('a')).toBe('waiting')
  })
  it('gives the story up when the deadline passes, or nobody is there', () => {
    const player = new Player(policy(attended), [story('a')])
    player.perform('CodeStory a', gap)
    player.perform('AskQuestion a')
    player.at = player.wakeAt()!
    expect(player.run().status('a')).toBe('failed')
    const alone = new Player(policy(), [story('a'), story('b', { dependsOn: ['a'] })])
    alone.perform('CodeStory a', gap)
    expect(alone.story('a').control).toMatchObject({
      status: 'failed',
      reason: 'what is wanted cannot be told: which users?',
    })
    expect(alone.status('b')).toBe('skipped')
  })
})

describe('no agent', () => {
  it('changes what was asked for by amending or splitting a story', () => {
    const player = toBeSplit({}, [large, story('b')])
    const { contract } = player.state.intent
    player.perform('RespecifyStory a', splits(...pieces))
    player.perform('CodeStory b', badSpec)
    player.perform('RespecifyStory b', respecifies({ description: 'other' }))
    expect(player.state.intent.contract).toEqual(contract)
  })
})
