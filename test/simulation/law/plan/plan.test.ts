import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/delivery/decide.ts'
import { sharingFiles } from '../../../../src/delivery/plan/course/planning.ts'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import { coverProblems, planProblems, scoreOf } from '../../../../src/delivery/plan/validate.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import { initialState } from '../../../../src/delivery/state.ts'
import type { Ending } from '../../endings.ts'
import { drafts } from '../../endings.ts'
import { Player } from '../../player.ts'
import { agent, policy, request, story } from '../../sample.ts'

const problems = (...stories: ReturnType<typeof story>[]): string[] => planProblems({ outline: null, stories }, 500)

describe('a plan is refused by name', () => {
  it('when it is empty or too large', () => {
    expect(problems()).toEqual(['the plan has no stories'])
    const large = Array.from({ length: 501 }, (_, i) => story(`s${i}`))
    expect(problems(...large)[0]).toMatch(/501 stories; at most 500/)
    expect(problems(...large.slice(1))).toEqual([])
  })
  it('when stories depend on each other in a circle', () => {
    const circle = [
      story('a', { dependsOn: ['c'] }),
      story('b', { dependsOn: ['a'] }),
      story('c', { dependsOn: ['b'] }),
    ]
    expect(problems(...circle)).toEqual(['the stories depend on each other in a circle: a → c → b → a'])
  })
  it('when a dependency is unknown or the story itself', () => {
    expect(problems(story('a', { dependsOn: ['x', 'a'] }))).toEqual([
      'a depends on x, which is not in the plan',
      'a depends on itself',
    ])
  })
  it('when ids are the same, differ in case only, or look like paths', () => {
    expect(problems(story('a'), story('a'))).toEqual(['two stories have the id a'])
    expect(problems(story('a'), story('A'))).toEqual(['story ids a and A differ only in case'])
    for (const id of ['../x', 'a/b', '', '.git', 'con', 'a..b', '-x', 'x.lock', 'ä', 'x'.repeat(65)])
      expect(problems(story(id)), id).toHaveLength(1)
  })
  it('when a declared path leaves the repository', () => {
    for (const path of ['/etc/passwd', '../x', 'a/../../x', ' '])
      expect(problems(story('a', { files: [path] })), path).toHaveLength(1)
    expect(problems(story('a', { mayChange: ['/x'] }))).toHaveLength(1)
    expect(problems(story('a', { files: ['src/a..b.js', 'src/[x].ts'] }))).toEqual([])
  })
  it('but not for being a chain of 500, nor for its order', () => {
    const chain = Array.from({ length: 500 }, (_, i) => story(`s${i}`, { dependsOn: i === 0 ? [] : [`s${i - 1}`] }))
    expect(problems(...chain)).toEqual([])
    expect(problems(...chain.reverse())).toEqual([])
    expect(sharingFiles({ outline: null, stories: chain }).size).toBe(500)
  })
})

describe('stories that declare the same file', () => {
  const stories = [
    story('b', { dependsOn: ['a'], files: ['x'] }),
    story('a', { files: ['x'] }),
    story('c', { files: ['x'] }),
  ]

  it('follow one another, what is depended on first', () => {
    expect([...sharingFiles({ outline: null, stories })]).toEqual([
      ['a', []],
      ['b', ['a']],
      ['c', ['a', 'b']],
    ])
  })
  it('follow one another however they write it, and where one has a folder of the other', () => {
    const waits = (one: string, other: string) =>
      sharingFiles({ outline: null, stories: [story('a', { files: [one] }), story('b', { files: [other] })] }).get('b')
    for (const [one, other] of [
      ...[['src/a.ts', './src/a.ts'] as const, ['src/', 'src/a.ts'] as const, ['src/a.ts', 'src'] as const],
      ...[['src/api/**', 'src/api/x/y.ts'] as const, ['src/api/x.ts', 'src/**/*.ts'] as const],
    ])
      expect(waits(one, other), `${one} and ${other}`).toEqual(['a'])
    for (const [one, other] of [
      ...[['src/a.ts', 'src/b.ts'] as const, ['src/ab/c.ts', 'src/a'] as const, ['*.md', 'README.md'] as const],
    ])
      expect(waits(one, other), `${one} and ${other}`).toEqual([])
  })
  it('are worked one at a time', () => {
    const player = new Player(policy(), stories)
    expect(player.due()).toEqual(['CodeStory a'])
    player.perform('CodeStory a')
    expect(player.due()).toEqual(['Judge a check:test'])
    expect(player.run().result()).toBe('done')
  })
  it('are put in order again when one is amended', () => {
    const player = new Player(policy(), stories)
    player.tell({ type: 'AmendStory', story: 'c', changes: { files: ['y'] }, by: 'somebody' })
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory c'])
  })
})

describe('a drafted plan', () => {
  const planned = policy({ roles: { coder: ['mine'], planner: ['mine'] }, gates: 'plan', unattended: false })
  const drafted = () => {
    const player = new Player(planned, null)
    player.perform('DraftPlan', drafts({ outline: null, stories: [story('a')] }))
    player.perform('AskQuestion')
    return player
  }

  it('waits at the gate, and starts when it is approved', () => {
    const player = drafted()
    expect(player.due()).toEqual([])
    player.answer('approve')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('is drafted again with the reason of its rejection', () => {
    const player = drafted()
    player.answer('reject', 'too small')
    expect(player.find('DraftPlan')).toMatchObject({ revision: 2, feedback: ['too small'] })
  })
  it('that was given and rejected ends the delivery when nobody drafts', () => {
    const player = new Player(policy({ gates: 'plan' }), [story('a')]).run()
    player.answer('reject', 'no')
    player.run()
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: 'the plan was rejected: no' })
  })
})

describe('a plan that a planner drafts', () => {
  const roles = { coder: ['mine'], planner: ['mine'], challenger: ['other'] }
  const agents = { mine: agent(), other: agent() }
  const given = { roles, agents, intent: { ...policy().intent, skip: true } }
  type Given = Parameters<typeof policy>[0]
  const planner = (more: Given = {}) => new Player(policy({ ...given, ...more }), null)
  const plan = (...stories: Story[]) => drafts({ outline: null, stories })
  const objects =
    (...problems: string[]): Ending =>
    (step) => ({ type: 'PlanAudited', step: step.id, revision: 1, problems, concerns: [] })
  const large = story('a', { complexity: 13 })
  const small = { limits: { complexityPerStory: 8 } }

  it('is audited by another, before anybody is asked or works', () => {
    const player = planner({ gates: 'plan', unattended: false })
    player.perform('DraftPlan', plan(story('a')))
    expect(player.due()).toEqual(['AuditPlan'])
    expect(player.find('AuditPlan')).toMatchObject({ agent: 'other', revision: 1 })
    player.perform('AuditPlan')
    expect(player.due()).toEqual(['AskQuestion'])
    expect(player.state.concerns).toEqual([])
  })
  it('is drafted again with what the audit found; what is left of it then is told, at the gate as well', () => {
    const player = planner({ gates: 'plan', unattended: false })
    player.perform('DraftPlan', plan(story('a')))
    player.perform('AuditPlan', objects('no tests'))
    expect(player.find('DraftPlan')).toMatchObject({ feedback: ['no tests'], revision: 2 })
    player.perform('DraftPlan', plan(story('b')))
    player.perform('AuditPlan', objects('still none'))
    expect(player.state.concerns).toEqual(['the audit of the plan: still none'])
    player.perform('AskQuestion')
    expect(openQuestions(player.state)).toMatchObject([{ kind: 'plan-gate', evidence: '- still none' }])
    player.answer('reject', 'so not')
    player.perform('DraftPlan', plan(story('c')))
    expect(player.due()).toEqual(['AuditPlan'])
  })
  it('stands as it was audited when the planner has nothing better', () => {
    const player = planner()
    player.perform('DraftPlan', plan(story('a')))
    player.perform('AuditPlan', objects('no tests'))
    player.perform('DraftPlan')
    player.perform('DraftPlan')
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.state.concerns).toEqual(['the audit of the plan: no tests'])
  })
  it('leaves as many rejections to a human, however often it is audited', () => {
    const player = planner({ gates: 'plan', limits: { planRevisions: 2 } })
    player.perform('DraftPlan', plan(story('a')))
    player.perform('AuditPlan', objects('no tests'))
    player.perform('DraftPlan', plan(story('a')))
    player.perform('AuditPlan')
    player.perform('AskQuestion')
    player.answer('reject', 'no')
    expect(player.due()).toEqual(['DraftPlan'])
  })
  it('is said to have been audited by nobody, where there is nobody', () => {
    const player = planner({ roles: { ...roles, challenger: [] } })
    player.perform('DraftPlan', plan(story('a')))
    expect(player.state.concerns).toEqual(['nobody audited the plan (roles.challenger is empty)'])
    const unwanted = planner({ roles: { ...roles, challenger: [] }, limits: { planAudits: 0 } })
    unwanted.perform('DraftPlan', plan(story('a')))
    expect(unwanted.state.concerns).toEqual([])
  })
  it('goes on without an audit, and past its gate, when the settings say so meanwhile', () => {
    const player = planner({ gates: 'plan' })
    player.perform('DraftPlan', plan(story('a')))
    const pinned = policy({ ...given, gates: 'plan', roles: { ...roles, challenger: [] } })
    player.tell({ type: 'RepinPolicy', policy: pinned, policyHash: 'p2', by: 'somebody' })
    expect(player.state.plan.control.status).toBe('proposed')
    player.tell({ type: 'RepinPolicy', policy: { ...pinned, gates: 'auto' }, policyHash: 'p3', by: 'somebody' })
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('is split further by the planner where a story is too large; if not, a human is asked, or it ends', () => {
    const player = planner({ ...small, unattended: false })
    player.perform('DraftPlan', plan(large))
    expect(player.find('DraftPlan')).toMatchObject({
      feedback: [expect.stringMatching(/limits.complexityPerStory.*split/)],
    })
    player.perform('DraftPlan', plan(large))
    player.perform('AuditPlan')
    player.perform('AskQuestion')
    expect(openQuestions(player.state)).toMatchObject([{ evidence: expect.stringMatching(/a is of complexity 13/) }])
    player.answer('approve')
    expect(player.due()).toEqual(['CodeStory a'])
    const alone = planner(small).run({ DraftPlan: plan(large) })
    expect(alone.state.mode).toMatchObject({ result: 'blocked', reason: expect.stringMatching(/complexityPerStory/) })
    expect(alone.times('DraftPlan')).toBe(2)
  })
  it('must say which story fulfils each criterion of what is meant', () => {
    const criteria = ['It is fast.', 'It is small']
    const covers = (...stories: string[]) => ({
      ...{ approach: '', runnerUp: { approach: '', lostBecause: '' }, invariants: [], nonGoals: [], tradeOffs: [] },
      ...{ checklist: [], switchWhen: '', risks: [], covers: criteria.map((criterion) => ({ criterion, stories })) },
    })
    const stories = [story('a')]
    expect(coverProblems({ stories, outline: covers('a') }, ['it is  FAST', 'It is small.'])).toEqual([])
    expect(coverProblems({ stories, outline: covers() }, criteria)).toHaveLength(2)
    expect(coverProblems({ stories, outline: covers('x') }, [])[0]).toMatch(/fulfilled by x, which is not in the plan/)
    expect(coverProblems({ stories, outline: null }, [])).toEqual([])
    const player = planner()
    player.state.intent.contract = { hash: '', criteria, answers: [] }
    player.perform('DraftPlan', plan(story('a')))
    expect(player.find('DraftPlan')).toMatchObject({
      feedback: [expect.stringMatching(/It is fast/), expect.anything()],
    })
  })
  it('may look larger than its author says, and that is told', () => {
    const files = ['src/a.ts', 'src/b.ts', 'lib/c.ts', 'test/d.ts']
    expect(scoreOf(story('a'))).toEqual({ complexity: 1, reasons: [] })
    expect(scoreOf(story('a', { files, criteria: named(6) }))).toEqual({
      complexity: 5,
      reasons: ['4 files', '3 folders', '6 criteria'],
    })
    const player = planner()
    player.perform('DraftPlan', plan(story('a', { files, criteria: named(6) }), story('b', { complexity: 3, files })))
    expect(player.state.concerns).toEqual(['a is planned as 1 and looks like 5: 4 files, 3 folders, 6 criteria'])
  })

  const rotten: [string, Story[], RegExp][] = [
    ['no stories', [], /no stories/],
    ['600 stories', Array.from({ length: 600 }, (_, i) => story(`s${i}`)), /600 stories; at most 500/],
    ['a circle', [story('a', { dependsOn: ['b'] }), story('b', { dependsOn: ['a'] })], /in a circle: a → b → a/],
    ...['/etc/passwd', '../../x', '.git/config', 'src/.GIT/hooks/x', '~/x', 'C:\\x', '..\\x', 'a\nb', ' '].map(
      (path): [string, Story[], RegExp] => [
        `the file ${JSON.stringify(path)}`,
        [story('a', { files: [path] })],
        /not a path inside the repository/,
      ],
    ),
    ['a file elsewhere to read', [story('a', { contextFiles: ['/etc/shadow'] })], /not a path inside/],
    ['a file elsewhere to prove', [story('a', { proofs: [{ type: 'file-exists', path: '/x' }] })], /not a path inside/],
    ['our settings', [story('a', { mayChange: ['./ropewalk.yaml'] })], /changed by people only/],
    [
      'all files',
      [story('a', { mayChange: ['**'] })],
      /a may change \*\*, and with it ropewalk.yaml: .*people only, so name the files one by one/,
    ],
    ['files like our settings', [story('a', { mayChange: ['*.YAML'] })], /changed by people only/],
    ['folders like our own', [story('a', { mayChange: ['.rope*/**'] })], /changed by people only/],
    ['our prompts', [story('a', { files: ['.ropewalk/prompts/coder.md'] })], /changed by people only/],
  ]
  it.each(rotten)(
    'that has %s is asked for once more, and then it is over, before anything is coded',
    (_, stories, why) => {
      const player = planner().run({ DraftPlan: plan(...stories) })
      expect(player.times('DraftPlan')).toBe(2)
      expect(player.state.mode).toMatchObject({ result: 'blocked', reason: expect.stringMatching(why) })
      expect(player.performed.some(({ verb }) => verb === 'CodeStory' || verb === 'AuditPlan')).toBe(false)
    },
  )
  it('by a human may change our settings, but not be larger than they allow', () => {
    const settings = new Player(policy(), [story('a', { mayChange: ['ropewalk.yaml'] })])
    expect(settings.due()).toEqual(['CodeStory a'])
    const decision = decide(request(policy(small), [large]), initialState('d'))
    expect(decision).toMatchObject({ refused: expect.stringMatching(/a is of complexity 13; at most 8/) })
  })
})

const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `x${i}`)
