import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Step } from '../../../src/delivery/step.ts'
import { happily, judges } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, red, story } from '../sample.ts'

const by = 'me'
const parks =
  (until: number) =>
  (step: Step): DeliveryEvent => ({ type: 'StepParked', step: step.id, story: step.story, until, reason: 'busy' })

describe('a landing that has begun', () => {
  const landing = () => {
    const player = new Player(policy(), [story('a')])
    while (!player.due().includes('Land')) player.performFirst({})
    return player
  }
  it('is finished before a stop, also when it had to be parked', () => {
    const player = landing()
    player.perform('Land', parks(5))
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    expect(player.due()).toEqual([])
    expect(player.wakeAt()).toBe(5)
    player.at = 5
    expect(player.due()).toEqual(['Land'])
    player.perform('Land')
    expect(player.run().result()).toBe('stopped')
    expect(player.status('a')).toBe('merged')
  })
  it('is tried once more before a stop, and does not hold it for ever', () => {
    const player = landing()
    const refused = (step: Step): DeliveryEvent => ({
      type: 'StepFailed',
      step: step.id,
      story: null,
      message: 'full',
      remedy: 'free',
    })
    player.perform('Land')
    expect(player.run().result()).toBe('done')
    const other = new Player(policy({ unattended: false }), [story('a')]).run({ Land: refused })
    other.answer('stop')
    expect(other.due()).toEqual(['Land'])
    expect(other.run({ Land: refused }).result()).toBe('stopped')
  })
})

describe('what a human has overtaken', () => {
  it('is a draft, when they gave a plan', () => {
    const drafted = policy({ roles: { coder: ['mine'], planner: ['mine'] } })
    const player = new Player(drafted, null)
    const late = player.start('DraftPlan')
    player.tell({ type: 'GivePlan', plan: { outline: null, stories: [story('human')] }, cause: 'mine' })
    player.record({
      type: 'PlanDrafted',
      step: late.id,
      plan: { outline: null, stories: [story('robot')] },
      revision: 1,
      cause: '',
    })
    expect(player.state.order).toEqual(['human'])
  })
  it('is a verdict on the whole, when the whole is no longer that', () => {
    const player = new Player(policy(), [story('a'), story('b')])
    player.tell({ type: 'SkipStory', story: 'b', reason: 'later', by })
    while (!player.due().includes('Land')) player.performFirst({})
    player.tell({ type: 'RepinPolicy', policy: policy(), policyHash: 'other', by })
    const late = player.start(player.due()[0]!)
    player.tell({ type: 'RetryStory', story: 'b', advice: '', by })
    player.end(late, judges(red('x')))
    expect(player.state.line.whole).toBeNull()
    expect(player.run().result()).toBe('done')
  })
  it('is the end, when they bring a story back', () => {
    const player = new Player(policy(), [story('a')])
    player.tell({ type: 'SkipStory', story: 'a', reason: 'later', by })
    const late = player.start('CompleteDelivery')
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by })
    player.end(late)
    expect(player.state.mode.status).toBe('active')
    expect(player.run().result()).toBe('done')
  })
})

describe('a step that was interrupted', () => {
  it('is another try when it starts again', () => {
    const player = new Player(policy(), [story('a')])
    const { id } = player.start('CodeStory a')
    player.record({ type: 'StepAborted', step: id, story: 'a', reason: 'interrupted' })
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.state.parked[id]).toMatchObject({ try: 1 })
    player.perform('CodeStory a', happily)
    expect(player.state.parked[id]).toBeUndefined()
  })
})

describe('a name that every object has', () => {
  it('is no story and no question', () => {
    const player = new Player(policy(), [story('a')])
    expect(player.tell({ type: 'RetryStory', story: 'constructor', advice: '', by })).toHaveProperty('refused')
    const answer = { type: 'AnswerQuestion', question: 'toString', option: 'x', text: '', by } as const
    expect(player.tell(answer)).toHaveProperty('refused')
  })
})

describe('other settings', () => {
  it('cannot send a delivery to another branch', () => {
    const player = new Player(policy(), [story('a')])
    const intent = { type: 'RepinPolicy', policy: policy({ target: 'release' }), policyHash: 'x', by } as const
    expect(player.tell(intent)).toMatchObject({ refused: expect.stringMatching(/cannot go to release/) })
  })
})
