import { describe, expect, it } from 'vitest'
import { conflicts, fails, finds, isSilent, refuses } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, single, story, suite } from '../sample.ts'

type Given = Parameters<typeof policy>[0]

const accepted = (given: Given = {}) => policy({ acceptance: true, checks: [single()], ...given })
const play = (given: Given = {}, stories = [story('a')]) => new Player(accepted(given), stories)
const perform = (player: Player, ...names: string[]) => {
  for (const name of names) player.perform(name)
  return player
}
const held = (given: Given = {}, stories = [story('a')]) =>
  perform(play(given, stories), 'CodeStory acceptance', 'Judge acceptance inspection', 'Judge acceptance red')
const joined = (given: Given = {}) =>
  perform(
    held(given),
    ...['CodeStory a', 'Judge a check:test', 'ComposeLine a', 'Judge a line check:test', 'AdvanceLine a'],
  )
const whole = (given: Given = {}) => perform(joined(given), 'ComposeLine acceptance', 'AdvanceLine acceptance')

describe('acceptance tests', () => {
  it('come first, and nothing starts before they were shown to fail', () => {
    const player = play({}, [story('a', { criteria: ['it works'] }), story('b')])
    expect(player.due()).toEqual(['CodeStory acceptance'])
    expect(player.find('CodeStory acceptance')).toMatchObject({ phase: 'tests', base: 'c0' })
    expect(player.story('acceptance').spec.criteria).toEqual(['it works'])
    perform(player, 'CodeStory acceptance', 'Judge acceptance inspection')
    expect(player.due()).toEqual(['Judge acceptance red'])
    perform(player, 'Judge acceptance red')
    expect(player.status('acceptance')).toBe('held')
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory b'])
  })
  it('have a name of their own', () => {
    const player = play({}, [story('acceptance'), story('Acceptance-2')])
    expect(player.state.order).toEqual(['acceptance-3', 'acceptance', 'Acceptance-2'])
  })
  it('are none where nobody can run them alone, and the report says so', () => {
    const player = play({ checks: [suite('story')] })
    expect(player.state.order).toEqual(['a'])
    expect(player.state.concerns).toEqual([expect.stringContaining('no acceptance tests')])
  })
  it('join last, without the line’s checks, and are asked with the result of all', () => {
    const player = joined()
    expect(player.due()).toEqual(['ComposeLine acceptance'])
    perform(player, 'ComposeLine acceptance')
    expect(player.due()).toEqual(['AdvanceLine acceptance'])
    perform(player, 'AdvanceLine acceptance', 'Judge whole check:test')
    expect(player.due()).toEqual(['Judge whole acceptance'])
    perform(player, 'Judge whole acceptance', 'Land')
    expect(player.run().result()).toBe('done')
    expect(player.status('acceptance')).toBe('merged')
  })
  it('that are red add a story to mend the result, which is asked again', () => {
    const player = perform(whole(), 'Judge whole check:test')
    player.perform('Judge whole acceptance', finds(1, 'not as asked'))
    perform(player, 'AddFixStory')
    expect(player.find('CodeStory mend-1')).toMatchObject({ findings: [{ message: 'not as asked' }] })
    perform(player, 'CodeStory mend-1', 'Judge mend-1 check:test', 'ComposeLine mend-1')
    perform(player, 'Judge mend-1 line check:test', 'AdvanceLine mend-1')
    expect(player.due()).toEqual(['Judge whole acceptance'])
    expect(player.run().result()).toBe('done')
  })
  it('that nobody could make pass keep the result from the target', () => {
    const player = perform(whole({ limits: { fixStories: 0 } }), 'Judge whole check:test')
    player.perform('Judge whole acceptance', finds(1, 'not as asked'))
    player.run()
    expect(player.result()).toBe('blocked')
    expect(player.state.mode).toMatchObject({ reason: expect.stringContaining('not as asked') })
    expect(player.status('a')).toBe('joined')
  })
  it('do not hold back what lands ahead of them, story by story', () => {
    const player = joined({ land: 'each' })
    expect(player.due()).toEqual(['ComposeLine acceptance', 'Land'])
    perform(player, 'Land')
    expect(player.status('a')).toBe('merged')
    expect(player.run().result()).toBe('done')
    expect(player.times('Judge whole acceptance')).toBe(1)
  })
  it('are left out when nothing is on the line, and come back with a story that does', () => {
    const player = held({ unattended: false })
    player.tell({ type: 'SkipStory', story: 'a', reason: 'no', by: 'me' })
    expect(player.story('acceptance').control).toMatchObject({
      status: 'skipped',
      reason: expect.stringMatching(/nothing is on the line/),
    })
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by: 'me' })
    expect(player.due()).toEqual(['CodeStory acceptance'])
    expect(player.run().result()).toBe('done')
  })
  it('wait again when a story is retried before they have joined', () => {
    const player = held({ unattended: false }, [story('a'), story('b')])
    player.tell({ type: 'SkipStory', story: 'b', reason: 'no', by: 'me' })
    perform(player, 'CodeStory a', 'Judge a check:test', 'ComposeLine a', 'Judge a line check:test', 'AdvanceLine a')
    perform(player, 'ComposeLine acceptance')
    player.tell({ type: 'RetryStory', story: 'b', advice: '', by: 'me' })
    expect(player.status('acceptance')).toBe('held')
    expect(player.state.line.train).toEqual([])
    expect(player.due()).toEqual(['CodeStory b'])
    expect(player.run().result()).toBe('done')
  })
  it('are mended by their coder when they do not fit onto the line, and need not fail again', () => {
    const player = joined()
    player.perform('ComposeLine acceptance', conflicts)
    expect(player.find('CodeStory acceptance')).toMatchObject({ phase: 'tests', findings: [{ source: 'compose' }] })
    perform(player, 'CodeStory acceptance', 'Judge acceptance inspection')
    expect(player.due()).toEqual(['ComposeLine acceptance'])
  })
  it('are written again on code without the stories, and shown to fail there', () => {
    const player = joined({ limits: { mergesPerStory: 1 } })
    player.perform('ComposeLine acceptance', conflicts)
    player.perform('CodeStory acceptance', fails('gave-up'))
    expect(player.find('CodeStory acceptance')).toMatchObject({ attempt: 2, base: 'c0', from: 'c0' })
    perform(player, 'CodeStory acceptance', 'Judge acceptance inspection')
    expect(player.due()).toEqual(['Judge acceptance red'])
  })
  it('go last again when the target has moved', () => {
    const player = perform(whole(), 'Judge whole check:test', 'Judge whole acceptance')
    player.perform('Land', refuses('moved'))
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.status('acceptance')).toBe('held')
    expect(player.run().result()).toBe('done')
    expect(player.times('Judge whole acceptance')).toBe(2)
  })
  it('that cannot be written fail like any story, and the others go on', () => {
    const player = play({ limits: { attemptsPerStory: 1 } })
    player.perform('CodeStory acceptance', fails('gave-up'))
    expect(player.status('acceptance')).toBe('failed')
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.run().result()).toBe('blocked')
    expect(player.status('a')).toBe('merged')
  })
  it('pass a gate before any code is written, and what a human rejects is shown to fail again', () => {
    const player = play({ gates: 'manual', unattended: false })
    perform(player, 'AskQuestion')
    player.answer('approve')
    perform(
      player,
      'CodeStory acceptance',
      'Judge acceptance inspection',
      'Judge acceptance red',
      'AskQuestion acceptance',
    )
    expect(player.status('acceptance')).toBe('gated')
    player.answer('reject', 'also the empty case')
    perform(player, 'CodeStory acceptance', 'Judge acceptance inspection')
    expect(player.due()).toEqual(['Judge acceptance red'])
    perform(player, 'Judge acceptance red', 'AskQuestion acceptance')
    player.answer('approve')
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('are given up under settings that ask for none', () => {
    const player = held()
    player.tell({ type: 'RepinPolicy', policy: accepted({ acceptance: false }), policyHash: 'p2', by: 'me' })
    expect(player.story('acceptance').control).toMatchObject({
      status: 'skipped',
      reason: expect.stringMatching(/none any more/),
    })
    expect(player.run().result()).toBe('done-with-concerns')
  })
  it('that no judge can speak on are asked again, and then the reason is told', () => {
    const player = perform(whole({ limits: { judgeRetries: 1 } }), 'Judge whole check:test')
    player.perform('Judge whole acceptance', isSilent)
    expect(player.due()).toEqual(['Judge whole acceptance'])
    player.perform('Judge whole acceptance', isSilent)
    player.run()
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/acceptance gave no verdict: /),
    })
  })
  it('that nobody asks for any more are no work that has begun: another plan can be given', () => {
    const player = play({ gates: 'plan', unattended: false })
    const none = accepted({ gates: 'plan', unattended: false, acceptance: false })
    player.tell({ type: 'RepinPolicy', policy: none, policyHash: 'p2', by: 'me' })
    expect(player.find('AskQuestion')).toMatchObject({ question: { text: 'Go ahead with this plan of 1 story?' } })
    player.tell({ type: 'GivePlan', plan: { outline: null, stories: [story('b')] }, cause: 'better' })
    expect(player.state.order).toEqual(['b'])
  })
  it('are said to be missing when the settings ask for them after the plan', () => {
    const player = new Player(accepted({ acceptance: false }), [story('a')])
    player.tell({ type: 'RepinPolicy', policy: accepted(), policyHash: 'p2', by: 'me' })
    expect(player.run().result()).toBe('done-with-concerns')
    expect(player.state.concerns).toEqual([expect.stringMatching(/no acceptance tests: /)])
  })
})

describe('an amendment', () => {
  const amend = (player: Player, id: string, changes: object) =>
    player.tell({ type: 'AmendStory', story: id, changes, by: 'me' })
  it('cannot make a story wait for acceptance tests that wait for it', () => {
    const player = held()
    expect(amend(player, 'a', { dependsOn: ['acceptance'] })).toMatchObject({
      refused: expect.stringMatching(/acceptance/),
    })
    expect(amend(player, 'acceptance', { dependsOn: ['a'] })).toMatchObject({
      refused: expect.stringMatching(/acceptance/),
    })
  })
  it('of the files of acceptance tests holds nobody back for ever', () => {
    const player = play({}, [story('a', { files: ['x'] })])
    amend(player, 'acceptance', { files: ['x'] })
    expect(player.run().result()).toBe('done')
  })
})
