import { describe, expect, it } from 'vitest'
import { fuel } from '../../../../src/delivery/fuel.ts'
import { breaks, type Ending } from '../../endings.ts'
import { Player } from '../../player.ts'
import { policy, story, suite } from '../../sample.ts'

/** Nothing is known of the base yet. */
class Beginning extends Player {
  protected override knowBase(): void {}
}

const cannot: Ending = ({ id, story: name }) => ({
  ...{ type: 'StepFailed', step: id, story: name, message: 'the check cannot be started', remedy: 'mend it' },
  environment: true,
})

const played = (given: Parameters<typeof policy>[0] = {}) => new Beginning(policy(given), [story('a'), story('b')])

describe('what the checks show of the base', () => {
  it('is found out before a coder is paid, and no longer waited for than what cannot start needs to say so', () => {
    const player = played()
    expect(player.due()).toEqual(['TryBase'])
    const step = player.start('TryBase')
    expect(player.due()).toEqual(['TryBase'])
    expect(player.wakeAt()).toBe(10_000)
    player.at = 10_000
    expect(player.due()).toEqual(['TryBase', 'CodeStory a', 'CodeStory b'])
    player.end(step)
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory b'])
    expect(player.run().result()).toBe('done')
  })

  it('is found out while others read and plan', () => {
    const player = new Beginning(policy({ roles: { planner: ['mine'] } }), null)
    expect(player.due()).toEqual(['TryBase', 'DraftPlan'])
  })

  it('that a check cannot start ends a delivery without anybody, before the first turn', () => {
    const player = played().run({ TryBase: cannot })
    expect(player.result()).toBe('blocked')
    expect(player.times('CodeStory a')).toBe(0)
    expect(player.story('a').turn).toBe(0)
  })

  it('that a check cannot start is one question, and goes on with other settings, again, or all the same', () => {
    const asked = () => {
      const player = played({ unattended: false })
      player.perform('TryBase', cannot)
      player.perform('AskQuestion')
      expect(player.due()).toEqual([])
      return player
    }
    const repinned = asked()
    const other = policy({ unattended: false, checks: [{ ...suite('story'), run: 'make test' }] })
    repinned.tell({ type: 'RepinPolicy', policy: other, policyHash: 'other', by: 'ada' })
    expect(repinned.due()).toEqual(['TryBase'])
    const retried = asked()
    retried.answer('retry')
    expect(retried.due()).toEqual(['TryBase'])
    retried.perform('TryBase', cannot)
    expect(retried.due()).toEqual(['AskQuestion'])
    const bold = asked()
    bold.answer('go-on')
    expect(bold.due()).toEqual(['CodeStory a', 'CodeStory b'])
  })

  it('is not asked again under other settings that run the same', () => {
    const player = new Player(policy(), [story('a')])
    player.tell({ type: 'RepinPolicy', policy: policy({ gates: 'manual' }), policyHash: 'other', by: 'ada' })
    expect(player.due()).toEqual(['CodeStory a'])
  })
})

describe('a machine that is at fault later', () => {
  it('charges nothing to the story, which is judged again as it is', () => {
    const player = new Player(policy({ unattended: false }), [story('a')])
    player.perform('CodeStory a')
    const judge = player.perform('Judge a check:test', cannot)
    player.perform('AskQuestion')
    expect(player.due()).toEqual([])
    expect(player.story('a')).toMatchObject({ attempt: 1, round: 1, control: { status: 'judging' } })
    player.answer('retry')
    expect(player.find('Judge a check:test').id).toBe(judge.id)
    expect(player.run().result()).toBe('done')
    expect(player.times('CodeStory a')).toBe(1)
  })

  it('charges nothing to a second story that meets it before anything could stop it', () => {
    const player = new Player(policy(), [story('a'), story('b')])
    const second = player.start('CodeStory b')
    player.perform('CodeStory a', cannot)
    player.end(second, cannot)
    expect([player.status('a'), player.status('b')]).toEqual(['coding', 'coding'])
    expect(player.run().result()).toBe('blocked')
    player.tell({ type: 'ResumeDelivery', by: 'ada' })
    expect(player.run().result()).toBe('done')
  })

  it('gives way to a refusal of the world, which is another question', () => {
    const player = new Beginning(policy({ roles: { planner: ['mine'] }, unattended: false }), null)
    const drafting = player.start('DraftPlan')
    player.perform('TryBase', cannot)
    player.perform('AskQuestion')
    const before = fuel(player.state)
    player.end(drafting, breaks)
    expect(fuel(player.state)).toBeLessThan(before)
    expect(player.due()).toEqual(['AskQuestion'])
  })

  it('stops what else would meet it, and not a turn that is being paid', () => {
    const player = new Player(policy(), [story('a'), story('b'), story('c')])
    const coding = player.start('CodeStory b')
    player.perform('CodeStory a')
    player.perform('Judge a check:test', cannot)
    expect(player.due()).toEqual(['CodeStory b'])
    player.end(coding)
    expect(player.run().result()).toBe('blocked')
    expect([player.status('a'), player.status('b'), player.status('c')]).toEqual(['judging', 'judging', 'waiting'])
    player.tell({ type: 'ResumeDelivery', by: 'ada' })
    expect(player.run().result()).toBe('done')
    expect(player.times('CodeStory a')).toBe(1)
  })
})
