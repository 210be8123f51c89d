import { describe, expect, it } from 'vitest'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import { planProblems } from '../../../src/delivery/plan/validate.ts'
import type { CodeStory } from '../../../src/delivery/step.ts'
import { codes, conflicts, type Ending, fails, finds, isSilent, judges as judged, refuse } from '../endings.ts'
import { Player } from '../player.ts'
import { agent, finding, policy, single, story, suite } from '../sample.ts'

type Given = Parameters<typeof policy>[0]

const judges = ['inspection', 'check:test', 'witness']
const play = (given: Given = {}, spec: Partial<Story> = {}) =>
  new Player(policy({ checks: [single()], judges, ...given }), [story('a', spec)])
const turn = (player: Player) => player.find('CodeStory a') as CodeStory
const named = ({ performed }: Player) =>
  performed.flatMap((step) => {
    if (step.verb === 'CodeStory') return [`code ${step.phase}`]
    if (step.verb === 'Review') return ['verifier']
    return step.verb === 'Judge' && step.scope === 'story' ? [step.judge] : []
  })
/** Its tests are written and were shown to fail. */
function shown(given: Given = {}, spec: Partial<Story> = {}): Player {
  const player = play({ strategy: 'tdd', ...given }, spec)
  player.perform('CodeStory a')
  player.perform('Judge a inspection')
  player.perform('Judge a red')
  return player
}

const withCode = ['code code', 'inspection', 'check:test', 'witness']
const testsFirst = ['code tests', 'inspection', 'red', ...withCode]

describe('a story whose tests come', () => {
  it('after, or with the change, is coded at once', () => {
    expect(named(play().run())).toEqual(withCode)
  })
  it('first shows them to fail before any code', () => {
    expect(named(play({ strategy: 'tdd' }).run())).toEqual(testsFirst)
    expect(named(play({}, { strategy: 'tdd' }).run())).toEqual(testsFirst)
  })
  it('first in three sessions is judged by a third one at last', () => {
    expect(named(play({ strategy: 'three-session' }).run())).toEqual([...testsFirst, 'verifier'])
  })
  it('never says why, and what it says itself goes before the settings', () => {
    const none = play({ strategy: 'tdd' }, { strategy: 'none', noTestsBecause: 'it is prose' })
    expect(named(none.run())).toEqual(withCode.filter((judge) => judge !== 'witness'))
    expect(named(play({ strategy: 'tdd' }, { strategy: 'after' }).run())).toEqual(withCode)
    const [problem] = planProblems(
      { outline: null, stories: [story('a', { strategy: 'none', noTestsBecause: ' ' })] },
      9,
    )
    expect(problem).toMatch(/does not say why/)
  })
  it('first cannot, where none can be run alone or they hold without the change, and the report says so', () => {
    const nowhere = play({ strategy: 'tdd', checks: [suite('story')] }).run()
    expect(named(nowhere)).toEqual(withCode)
    expect(nowhere.result()).toBe('done-with-concerns')
    expect(nowhere.state.concerns).toEqual([expect.stringContaining('no check can run single tests')])
    const refactoring = play({ strategy: 'three-session' }, { tests: 'characterisation' }).run()
    expect(named(refactoring)).toEqual(withCode)
    expect(refactoring.state.concerns).toHaveLength(1)
  })
})

describe('tests that come first', () => {
  it('are measured against the base, and the code goes on from them', () => {
    const player = play({ strategy: 'tdd' })
    const written = player.perform('CodeStory a')
    player.perform('Judge a inspection')
    player.perform('Judge a red')
    expect(turn(player)).toMatchObject({ base: 'c0', from: `c-${written.id}`, round: 2, findings: [] })
    expect(player.story('a')).toMatchObject({ phase: 'code', red: `c-${written.id}` })
  })
  it('are mended when they do not fail, and shown again', () => {
    const player = play({ strategy: 'tdd' })
    player.perform('CodeStory a')
    player.perform('Judge a inspection')
    player.perform('Judge a red', finds(1, 'it passes without the code'))
    expect(turn(player)).toMatchObject({ phase: 'tests', findings: [{ message: 'it passes without the code' }] })
    player.perform('CodeStory a')
    expect(player.due()).toEqual(['Judge a inspection'])
  })
  it('have rounds of their own', () => {
    const limits = { roundsPerAttempt: 2 }
    const player = play({ strategy: 'tdd', limits })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    for (const name of ['CodeStory a', 'Judge a inspection', 'Judge a red', 'CodeStory a']) player.perform(name)
    player.perform('Judge a inspection', finds())
    expect(turn(player)).toMatchObject({ attempt: 1, phase: 'code' })
  })
  it('are written anew by each attempt', () => {
    const player = shown()
    player.perform('CodeStory a', fails('gave-up'))
    expect(turn(player)).toMatchObject({ attempt: 2, phase: 'tests', from: 'c0' })
    expect(player.story('a').red).toBeNull()
  })
  it('are not asked for when the line sends the code back', () => {
    const player = shown()
    for (const name of ['CodeStory a', 'Judge a inspection', 'Judge a check:test', 'Judge a witness'])
      player.perform(name)
    player.perform('ComposeLine a')
    player.perform('Judge a line check:test', finds())
    expect(turn(player).phase).toBe('code')
  })
  it('stay in one session with the code, and in three do not', () => {
    const opened = (strategy: 'tdd' | 'three-session') => {
      const player = play({ strategy })
      const step = player.start('CodeStory a')
      player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's1' })
      player.end(step)
      player.perform('Judge a inspection')
      player.perform('Judge a red')
      return player.story('a').thisAttempt.session?.id ?? null
    }
    expect(opened('tdd')).toBe('s1')
    expect(opened('three-session')).toBeNull()
  })
  it('are written by the test writer in three sessions, and by the coder in one', () => {
    const agents = { mine: agent(), other: agent() }
    const writers = (strategy: 'tdd' | 'three-session') => {
      const player = play({ strategy, agents, roles: { testWriter: ['other'] } }).run()
      return player.performed.flatMap((step) => (step.verb === 'CodeStory' ? [`${step.phase} ${step.agent}`] : []))
    }
    expect(writers('tdd')).toEqual(['tests mine', 'code mine'])
    expect(writers('three-session')).toEqual(['tests other', 'code mine'])
  })
  it('go on where a waiver lets them, tests as tests', () => {
    const player = play({ strategy: 'tdd', unattended: false, limits: { roundsPerAttempt: 1, attemptsPerStory: 1 } })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds(1, 'odd'))
    const { fingerprint } = player.story('a').findings[0]!
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint, because: 'fine', by: 'me' })
    expect(player.due()).toEqual(['Judge a red'])
  })
})

describe('other settings', () => {
  const pin = (player: Player, given: Given) => {
    const pinned = policy({ checks: [single()], judges, ...given })
    player.tell({ type: 'RepinPolicy', policy: pinned, policyHash: JSON.stringify(given), by: 'me' })
  }
  it('decide on attempts that have not begun', () => {
    const player = play()
    pin(player, { strategy: 'tdd' })
    expect(turn(player).phase).toBe('tests')
  })
  it('leave an attempt that has begun as it is', () => {
    const player = play()
    player.perform('CodeStory a', codes())
    pin(player, { strategy: 'three-session' })
    expect(named(player.run())).toEqual(withCode)
  })
  it('end the wait for tests that nobody can show to fail any more', () => {
    const player = play({ strategy: 'tdd' })
    const before = player.start('CodeStory a')
    pin(player, { strategy: 'tdd', checks: [suite('story')] })
    expect(turn(player)).toMatchObject({ phase: 'code' })
    expect(turn(player).id).not.toBe(before.id)
    expect(player.state.concerns).toEqual([expect.stringContaining('no check can run single tests')])
  })
})

describe('a verifier', () => {
  const agents = { mine: agent(), other: agent() }
  const reviewed = (given: Given = {}) => {
    const player = shown({ strategy: 'three-session', agents, ...given })
    for (const name of ['CodeStory a', 'Judge a inspection', 'Judge a check:test', 'Judge a witness'])
      player.perform(name)
    return player
  }
  it('is the last of the coders unless one is named', () => {
    const roles = { coder: ['mine', 'other'] }
    expect(reviewed({ roles }).find('Review a')).toMatchObject({ agent: 'other', judge: 'verifier' })
    expect(reviewed({ roles: { ...roles, verifier: ['mine'] } }).find('Review a')).toMatchObject({ agent: 'mine' })
  })
  it('takes a place among the agents, and another goes on when its service refuses', () => {
    const player = reviewed({ roles: { coder: ['mine', 'other'] } })
    player.perform('Review a', refuse('quota', 700_000))
    expect(player.find('Review a')).toMatchObject({ agent: 'mine', because: 'instead of other (quota)' })
    const alone = reviewed({ unattended: false })
    alone.perform('Review a', refuse('auth'))
    expect(alone.due()).toEqual(['AskQuestion'])
  })
  it('sends the code back with what it found, which a human may waive', () => {
    const player = reviewed({ unattended: false })
    player.perform('Review a', finds(1, 'the tests are gamed'))
    expect(turn(player)).toMatchObject({ phase: 'code', findings: [{ message: 'the tests are gamed' }] })
    const { fingerprint } = player.story('a').findings[0]!
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint, because: 'they are not', by: 'me' })
    expect(player.status('a')).toBe('composing')
  })
  it('is asked again when it is silent, and then a human is', () => {
    const player = reviewed({ unattended: false, limits: { judgeRetries: 1 } })
    player.perform('Review a', isSilent)
    player.perform('Review a', isSilent)
    expect(player.story('a').control).toMatchObject({ status: 'escalated', reason: expect.stringMatching(/verifier/) })
  })
  it('that holds only the tests to be wrong has them written again at once, and not by the coder', () => {
    const aboutTests: Ending = (step) => {
      const found = { ...finding('verifier', 'it would not notice'), fixTarget: 'tests' as const }
      return judged({ status: 'findings', findings: [found], failures: 1, proof: null, concerns: [] })(step)
    }
    const player = reviewed()
    player.perform('Review a', aboutTests)
    expect(turn(player)).toMatchObject({ attempt: 2, phase: 'tests', findings: [{ message: 'it would not notice' }] })
    const both: Ending = (step) => {
      const wrong = { ...finding('verifier', 'the tests'), fixTarget: 'tests' as const }
      const findings = [wrong, finding('verifier', 'the code')]
      return judged({ status: 'findings', findings, failures: 2, proof: null, concerns: [] })(step)
    }
    const mixed = reviewed()
    mixed.perform('Review a', both)
    expect(turn(mixed)).toMatchObject({ attempt: 1, phase: 'code' })
  })
  it('whose word is waived leaves no session of who writes the tests anew to the coder', () => {
    const player = reviewed({ unattended: false, limits: { roundsPerAttempt: 1 } })
    player.perform('Review a', finds(1, 'the tests are gamed'))
    const step = player.start('CodeStory a')
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's2' })
    const { fingerprint } = player.story('a').findings[0]!
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint, because: 'they are not', by: 'me' })
    player.perform('ComposeLine a', conflicts)
    expect(turn(player)).toMatchObject({ phase: 'code' })
    expect(player.story('a').thisAttempt.session).toBeNull()
  })
})

describe('an agent that crashed too often in one part', () => {
  const agents = { mine: agent(), other: agent() }
  it('and is the only one for the other part leaves the story to a human', () => {
    const roles = { coder: ['mine'], testWriter: ['mine', 'other'] }
    const player = play({ strategy: 'three-session', agents, roles, unattended: false })
    for (let time = 0; time < 3; time++) player.perform('CodeStory a', fails('crash'))
    expect(turn(player)).toMatchObject({ agent: 'other', phase: 'tests' })
    for (const name of ['CodeStory a', 'Judge a inspection', 'Judge a red']) player.perform(name)
    expect(player.story('a').control).toMatchObject({
      status: 'escalated',
      reason: expect.stringMatching(/crashed too often/),
    })
  })
  it('and is the only one for the tests of the next attempt does so, too', () => {
    const roles = { coder: ['mine', 'other'], testWriter: ['mine'] }
    const player = shown({ strategy: 'three-session', agents, roles })
    for (let time = 0; time < 3; time++) player.perform('CodeStory a', fails('crash'))
    player.perform('CodeStory a', fails('gave-up'))
    expect(player.status('a')).toBe('failed')
  })
})
