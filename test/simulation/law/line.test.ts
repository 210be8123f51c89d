import { describe, expect, it } from 'vitest'
import { codes, composes, conflicts, fails, finds, refuses } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story } from '../sample.ts'

const by = 'somebody'
const two = [story('a'), story('b')]
const join = (player: Player, id: string) => {
  if (player.due().includes(`CodeStory ${id}`)) player.perform(`CodeStory ${id}`)
  for (const name of [
    `Judge ${id} check:test`,
    `ComposeLine ${id}`,
    `Judge ${id} line check:test`,
    `AdvanceLine ${id}`,
  ])
    player.perform(name)
}

describe('the line', () => {
  it('takes one story at a time where a train has one car, first come, first served', () => {
    const player = new Player(policy({ limits: { train: 1 } }), two)
    player.perform('CodeStory a')
    player.perform('CodeStory b')
    player.perform('Judge b check:test')
    player.perform('Judge a check:test')
    expect(player.due()).toEqual(['ComposeLine b'])
    player.perform('ComposeLine b')
    expect(player.due()).toEqual(['Judge b line check:test'])
  })
  it('does not prove again what is proven', () => {
    const player = new Player(policy(), two)
    player.perform('CodeStory a', codes('t1'))
    player.perform('Judge a check:test')
    player.perform('ComposeLine a', composes('t1'))
    expect(player.due()).toEqual(['AdvanceLine a', 'CodeStory b'])
  })
  it('sends back what is green alone and red together, at no round', () => {
    const player = new Player(policy(), two)
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    const { id } = player.perform('ComposeLine a')
    player.perform('Judge a line check:test', finds())
    expect(player.find('CodeStory a')).toMatchObject({ from: `c-${id}`, attempt: 1 })
    expect(player.story('a').tally).toMatchObject({ rounds: 1, merges: 1 })
  })
  it('carries dependents: they start from the tip that holds what they need', () => {
    const player = new Player(policy(), [story('b', { dependsOn: ['a'] }), story('a')])
    expect(player.due()).toEqual(['CodeStory a'])
    join(player, 'a')
    expect(player.find('CodeStory b')).toMatchObject({ base: player.state.line.tip })
  })
})

describe('landing', () => {
  it('comes at the end, once', () => {
    const player = new Player(policy(), two)
    join(player, 'a')
    expect(player.due()).toEqual(['CodeStory b'])
    player.run()
    expect(player.times('Land')).toBe(1)
    expect(player.state.line.target).toBe(player.state.line.tip)
  })
  it('comes with each story when that is the policy', () => {
    const player = new Player(policy({ land: 'each' }), two)
    join(player, 'a')
    player.perform('Land')
    expect(player.status('a')).toBe('merged')
    expect(player.status('b')).toBe('waiting')
    expect(player.run().times('Land')).toBe(2)
  })
  it('lays everything again in order when the target has moved', () => {
    const player = new Player(policy(), two)
    join(player, 'b')
    join(player, 'a')
    player.perform('Land', refuses('moved', 'c-theirs'))
    expect(player.find('ComposeLine b')).toMatchObject({ onto: 'c-theirs' })
    const { id } = player.perform('ComposeLine b')
    expect(player.find('ComposeLine a')).toMatchObject({ onto: `c-${id}` })
    player.run()
    expect(player.result()).toBe('done')
    expect(player.performed.filter((step) => step.verb === 'CodeStory')).toHaveLength(2)
  })
  it('lets dependents go on with what they have while the line is laid again', () => {
    const stories = [story('a'), story('b', { dependsOn: ['a'] }), story('c', { dependsOn: ['a'] })]
    const player = new Player(policy({ land: 'each', limits: { agents: 1 } }), stories)
    join(player, 'a')
    const landing = player.start('Land')
    const coding = player.start('CodeStory b')
    player.end(landing, refuses('moved'))
    expect(player.due()).toEqual(['ComposeLine a', 'CodeStory b'])
    player.end(coding)
    expect(player.due()).toEqual(['ComposeLine a', 'Judge b check:test'])
    player.perform('Judge b check:test')
    expect(player.due()).toEqual(['ComposeLine a'])
    expect(player.run().result()).toBe('done')
  })
  it('loses dependents when what they need does not fit any more', () => {
    const stories = [story('a'), story('b', { dependsOn: ['a'] })]
    const player = new Player(policy({ land: 'each', limits: { attemptsPerStory: 1, mergesPerStory: 0 } }), stories)
    join(player, 'a')
    const landing = player.start('Land')
    const coding = player.start('CodeStory b')
    player.end(landing, refuses('moved'))
    player.perform('ComposeLine a', conflicts)
    expect([player.status('a'), player.status('b')]).toEqual(['failed', 'skipped'])
    player.end(coding)
    expect(player.run().result()).toBe('blocked')
  })
  it('waits for a human when the checkout is dirty, and the rest goes on', () => {
    const player = new Player(policy({ land: 'each', unattended: false }), two)
    join(player, 'a')
    player.perform('Land', refuses('dirty'))
    expect(player.due()).toEqual(['AskQuestion', 'CodeStory b'])
    player.run()
    expect(player.state.mode.status).toBe('active')
    player.answer('land')
    expect(player.run().result()).toBe('done')
  })
  it('can be left, and taken up later', () => {
    const player = new Player(policy({ unattended: false }), two).run({ Land: refuses('dirty') })
    player.answer('leave')
    expect(player.run().state.mode).toMatchObject({
      result: 'done-with-concerns',
      reason: 'the result was not merged, as you asked',
    })
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('that must wait blocks when nobody is there, and can be taken up later', () => {
    const player = new Player(policy(), two).run({ Land: refuses('dirty') })
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: 'the result is proven, but not merged: dirty',
    })
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('lands what is good when another story failed', () => {
    const player = new Player(policy({ limits: { attemptsPerStory: 1 } }), two)
    player.perform('CodeStory a', fails('empty'))
    player.run()
    expect(player.status('b')).toBe('merged')
    expect(player.result()).toBe('blocked')
  })
})

describe('another policy', () => {
  const repin = (player: Player, given: Parameters<typeof policy>[0] = {}) =>
    player.tell({ type: 'RepinPolicy', policy: policy(given), policyHash: 'p2', by })

  it('voids the proofs: the result is judged as a whole', () => {
    const player = new Player(policy(), [story('a')])
    join(player, 'a')
    repin(player)
    expect(player.due()).toEqual(['Judge whole check:test'])
    expect(player.run().result()).toBe('done')
  })
  it('blocks when the whole is red, until somebody resumes', () => {
    const player = new Player(policy(), [story('a')])
    join(player, 'a')
    repin(player, { limits: { fixStories: 0 } })
    player.perform('Judge whole check:test', finds(1, 'broken'))
    expect(player.run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/not proven: broken/),
    })
    expect(player.status('a')).toBe('joined')
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('does not take a verdict of the former commands for one of its own', () => {
    const player = new Player(policy(), [story('a')])
    player.perform('CodeStory a')
    const late = player.start('Judge a check:test')
    repin(player)
    player.end(late)
    expect(player.state.proven).toEqual({})
    expect(player.due()).toEqual(['Judge a check:test'])
  })
})
