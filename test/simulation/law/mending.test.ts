import { describe, expect, it } from 'vitest'
import { breaks, fails, finds, isSilent } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story, suite } from '../sample.ts'

const by = 'somebody'
const checks = [suite('end')]

/** All stories are on the line, and the result is red. */
function red(given: Parameters<typeof policy>[0] = {}, ids = ['a', 'b']): Player {
  const player = new Player(
    policy({ checks, ...given }),
    ids.map((id) => story(id)),
  )
  while (!player.due().includes('Judge whole check:test')) player.performFirst({})
  player.perform('Judge whole check:test', finds(1, 'broken together'))
  return player
}

describe('a red result of all stories', () => {
  it('is mended by one more story, which starts at the tip with what was found', () => {
    const player = red()
    expect(player.due()).toEqual(['AddFixStory'])
    player.perform('AddFixStory')
    expect(player.state.order).toEqual(['a', 'b', 'mend-1'])
    const { tip } = player.state.line
    expect(player.find('CodeStory mend-1')).toMatchObject({ base: tip, findings: [{ message: 'broken together' }] })
    expect(player.run().result()).toBe('done')
    expect(player.status('mend-1')).toBe('merged')
    expect(player.times('Judge whole check:test')).toBe(2)
  })
  it('is tried to be mended twice, and then it is blocked and nothing has landed', () => {
    const player = red().run({ Judge: finds(1, 'still broken') })
    expect(player.state.order).toEqual(['a', 'b', 'mend-1', 'mend-2'])
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: 'the result as a whole is not proven: still broken',
    })
    expect(player.times('Land')).toBe(0)
  })
  it('is not judged again when nobody could mend it', () => {
    const player = red({ limits: { attemptsPerStory: 1 } }).run({ CodeStory: fails('empty') })
    expect(player.result()).toBe('blocked')
    expect(player.times('Judge whole check:test')).toBe(1)
    expect(player.status('mend-1')).toBe('failed')
    player.tell({ type: 'RetryStory', story: 'mend-1', advice: 'like this', by })
    expect(player.run().result()).toBe('done')
  })
  it('stays blocked when a human leaves the mending out', () => {
    const player = red()
    player.perform('AddFixStory')
    player.tell({ type: 'SkipStory', story: 'mend-1', reason: 'no', by })
    expect(player.run().result()).toBe('blocked')
    expect(player.state.order).not.toContain('mend-2')
  })
  it('stays blocked when a human leaves it out after the end, until they want it again', () => {
    const nobody = { CodeStory: fails('empty'), Judge: finds(1, 'still broken') }
    const player = red({ limits: { attemptsPerStory: 1 } }).run(nobody)
    player.tell({ type: 'SkipStory', story: 'mend-1', reason: 'no', by })
    expect(player.run(nobody).result()).toBe('blocked')
    expect(player.state.order).not.toContain('mend-2')
    player.tell({ type: 'RetryStory', story: 'mend-1', advice: '', by })
    expect(player.run().result()).toBe('done')
  })
  it('without a word of what is wrong gives nobody anything to mend', () => {
    const player = new Player(policy({ checks }), [story('a')]).run({ Judge: isSilent })
    expect(player.state.order).toEqual(['a'])
    expect(player.result()).toBe('blocked')
  })
  it('gives its story a name that is free', () => {
    const player = red({}, ['a', 'mend-1'])
    player.perform('AddFixStory')
    expect(player.state.order).toEqual(['a', 'mend-1', 'mend-2'])
  })
  it('does not forget the story when the adding of it was cut short', () => {
    const player = red()
    player.start('AddFixStory')
    expect(player.due()).toEqual(['AddFixStory'])
    expect(player.run().result()).toBe('done')
    expect(player.state.line.mends).toBe(1)
  })
  it('lets a story be amended though it was not in the plan', () => {
    const player = red({ limits: { storiesPerPlan: 2 } })
    player.perform('AddFixStory')
    const changes = { title: 'Mend it' }
    expect(player.tell({ type: 'AmendStory', story: 'mend-1', changes, by })).toHaveProperty('events')
    expect(player.run().result()).toBe('done')
  })
})

/** `a` is on the line, `b` is composed onto it and red, and nobody knows what `a` is worth under these settings. */
function doubtful(given: Parameters<typeof policy>[0] = {}): Player {
  const pinned = policy({ checks: [suite('merge')], ...given })
  const player = new Player(pinned, [story('a'), story('b')])
  for (const name of ['CodeStory a', 'ComposeLine a', 'Judge a line check:test', 'AdvanceLine a', 'CodeStory b'])
    player.perform(name)
  player.tell({ type: 'RepinPolicy', policy: pinned, policyHash: 'p2', by })
  player.perform('ComposeLine b')
  player.perform('Judge b line check:test', finds(1, 'red together'))
  return player
}

describe('a tip that is not proven any more', () => {
  it('is judged before what is on top of it is blamed', () => {
    const player = doubtful()
    expect(player.due()).toEqual(['Judge whole check:test'])
    expect(player.status('b')).toBe('proving')
    player.perform('Judge whole check:test')
    expect(player.find('CodeStory b')).toMatchObject({ findings: [{ message: 'red together' }] })
    expect(player.run().result()).toBe('done')
  })
  it('and is red is mended first, and nobody else is sent back', () => {
    const player = doubtful()
    player.perform('Judge whole check:test', finds(1, 'a was it'))
    expect(player.due()).toEqual(['AddFixStory'])
    player.perform('AddFixStory')
    expect(player.status('b')).toBe('composing')
    for (const name of ['CodeStory mend-1', 'ComposeLine mend-1']) player.perform(name)
    expect(player.due()).toEqual(['Judge mend-1 line check:test'])
    expect(player.run().result()).toBe('done')
    expect(player.times('CodeStory b')).toBe(1)
  })
  it('and that nobody mends ends it, with the reason', () => {
    const player = doubtful({ limits: { fixStories: 0 } })
    player.perform('Judge whole check:test', finds(1, 'a was it'))
    player.run()
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: expect.stringContaining('a was it') })
    expect(player.times('CodeStory b')).toBe(1)
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('is in doubt as well when a story that was proven with it could not join', () => {
    const player = new Player(policy({ checks: [suite('merge')], limits: { fixStories: 0 } }), [
      story('a'),
      story('b'),
      story('c'),
    ])
    for (const id of ['a', 'b', 'c']) player.perform(`CodeStory ${id}`)
    for (const id of ['a', 'b']) player.perform(`ComposeLine ${id}`)
    player.perform('ComposeLine c')
    for (const name of ['Judge c line check:test', 'AdvanceLine a']) player.perform(name)
    player.perform('AdvanceLine b', breaks)
    player.perform('ComposeLine c')
    player.perform('Judge c line check:test', finds())
    expect(player.due()).toEqual(['Judge whole check:test'])
    expect(player.status('c')).toBe('proving')
  })
  it('is asked again when its judge is silent', () => {
    const player = doubtful({ limits: { judgeRetries: 1 } })
    player.perform('Judge whole check:test', isSilent)
    expect(player.find('Judge whole check:test')).toMatchObject({ retry: 1 })
    player.perform('Judge whole check:test')
    expect(player.status('b')).toBe('coding')
  })
})

describe('a result on which no judge can speak', () => {
  const whole = (given: Parameters<typeof policy>[0] = {}) => {
    const player = new Player(policy({ checks, ...given }), [story('a')])
    while (!player.due().includes('Judge whole check:test')) player.performFirst({})
    return player
  }
  it('is judged again as often as any other, and then the reason is told', () => {
    const player = whole({ limits: { judgeRetries: 2 } })
    for (let times = 0; times < 3; times++) player.perform('Judge whole check:test', isSilent)
    player.run()
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(/check:test gave no verdict: ./),
    })
    expect(player.state.order).toEqual(['a'])
  })
  it('ended at once in earlier logs, in other words, and so it did', () => {
    const player = whole()
    player.perform('Judge whole check:test', isSilent)
    const reason = 'the result as a whole is not proven: no verdict'
    const step = { id: 'CompleteDelivery-1', verb: 'CompleteDelivery', story: null, result: 'blocked', reason } as const
    player.record({
      type: 'StepStarted',
      step: { ...step, concerns: [] },
      try: 1,
      worker: 'w',
      mark: 'm',
      reserveUsd: 0,
    })
    player.record({ type: 'DeliveryCompleted', step: step.id, result: 'blocked', reason, concerns: [] })
    expect(player.state.mode).toMatchObject({ status: 'ended', reason })
  })
  it('does not end when somebody has said something since that end began', () => {
    const player = whole()
    player.perform('Judge whole check:test', isSilent)
    const step = {
      id: 'CompleteDelivery-1',
      verb: 'CompleteDelivery',
      story: null,
      result: 'blocked',
      reason: '',
    } as const
    player.record({
      type: 'StepStarted',
      step: { ...step, concerns: [] },
      try: 1,
      worker: 'w',
      mark: 'm',
      reserveUsd: 0,
    })
    player.tell({ type: 'PauseDelivery', now: false, by })
    player.record({ type: 'DeliveryCompleted', step: step.id, result: 'blocked', reason: '', concerns: [] })
    expect(player.result()).toBe('paused')
  })
})
