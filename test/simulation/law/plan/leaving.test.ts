import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { asks, drafts, fails, finds } from '../../endings.ts'
import { Player } from '../../player.ts'
import { policy, story } from '../../sample.ts'

const by = 'somebody'
const limits = { attemptsPerStory: 1, roundsPerAttempt: 2 }
const attended = (given: Parameters<typeof policy>[0] = {}): Policy => policy({ unattended: false, limits, ...given })
const pair = [story('a'), story('b', { dependsOn: ['a'] }), story('c')]

/** Who was there leaves. */
const leaves = (player: Player): Player => {
  const now = { ...player.state.policy!, unattended: true }
  player.tell({ type: 'RepinPolicy', policy: now, policyHash: 'p2', by })
  return player
}

describe('when nobody is there any more', () => {
  it.each([
    ['all attempts failed', 'empty' as const, /all attempts failed/],
    ['nobody knows what is wanted', 'intent-gap' as const, /cannot be told/],
  ])('a story that waits because %s fails, and the rest goes on to the end', (_, kind, reason) => {
    const player = new Player(attended(), pair)
    player.perform('CodeStory a', fails(kind))
    player.perform('AskQuestion a')
    leaves(player).run()
    expect(player.story('a').control).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) })
    expect([player.status('b'), player.status('c'), player.result()]).toEqual(['skipped', 'merged', 'blocked'])
  })
  it('a coder that asked goes on by its own judgement, and without what it wanted to be allowed', () => {
    const player = new Player(attended(), [story('a'), story('c')])
    player.perform('CodeStory a', asks('Which?', ['one']))
    player.perform('CodeStory c', asks('May I?', [], 'edit'))
    leaves(player)
    const findingsOf = (id: string) => player.find(`CodeStory ${id}`)
    expect(findingsOf('a')).toMatchObject({
      round: 2,
      findings: [{ message: expect.stringMatching(/Nobody is there/) }],
    })
    expect(findingsOf('c')).toMatchObject({ findings: [{ message: expect.stringMatching(/It is not allowed/) }] })
    expect(player.run().result()).toBe('done')
  })
  it('a plan whose stories are too large is none, as it would have been', () => {
    const player = new Player(attended({ roles: { planner: ['mine'] } }), null)
    const large = drafts({ outline: null, stories: [story('a', { criteria: Array.from({ length: 20 }, String) })] })
    player.run({ DraftPlan: large })
    expect(player.state.plan.control.status).toBe('proposed')
    expect(leaves(player).run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/no valid plan: .*limits.criteriaPerStory/),
    })
  })
  it('gates stay, and what a human has taken over is theirs', () => {
    const gated = new Player(attended({ gates: 'manual' }), [story('a')])
    gated.perform('AskQuestion')
    gated.answer('approve')
    gated.perform('CodeStory a')
    gated.perform('Judge a check:test')
    expect(leaves(gated).status('a')).toBe('gated')
    const taken = new Player(attended({ limits: { ...limits, roundsPerAttempt: 1 } }), [story('a')])
    taken.perform('CodeStory a')
    taken.perform('Judge a check:test', finds())
    taken.perform('AskQuestion a')
    taken.answer('take-over')
    taken.perform('LendWorkspace a')
    expect(leaves(taken).status('a')).toBe('taken-over')
  })
})

describe('a story that mends the result of all', () => {
  it('waits for a yes before it is merged, like any other, where each of them does', () => {
    const player = new Player(attended({ gates: 'manual', judges: ['check:test'], checks: policy().checks }), [
      story('a'),
    ])
    player.perform('AskQuestion')
    player.answer('approve')
    const [check] = player.state.policy!.checks
    player.tell({
      ...{ type: 'RepinPolicy', policyHash: 'p2', by },
      policy: { ...player.state.policy!, checks: [{ ...check!, full: 'end' }] },
    })
    while (player.status('a') !== 'gated') player.performFirst({})
    player.perform('AskQuestion a')
    player.answer('approve')
    while (!player.due().some((name) => name.startsWith('Judge whole'))) player.performFirst({})
    player.perform(player.due().find((name) => name.startsWith('Judge whole'))!, finds())
    player.perform('AddFixStory')
    while (player.status('mend-1') !== 'gated') player.performFirst({})
    expect(player.due()).toEqual(['AskQuestion mend-1'])
  })
})
