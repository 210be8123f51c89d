import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import type { AdvanceLine, Judge, Step } from '../../../src/delivery/step.ts'
import type { Ending } from '../endings.ts'
import { codes, composes, conflicts, finds, happily, isSilent, parks, passes, refuses } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story, suite } from '../sample.ts'

const by = 'somebody'
const test = suite('merge')
const names = (count: number) => Array.from({ length: count }, (_, i) => `s${i}`)

/** So many stories, coded and composed on top of each other. */
function coupled(count: number, given: Parameters<typeof policy>[0] = {}): Player {
  const limits = { agents: count, checks: 1, ...given.limits }
  const player = new Player(
    policy({ checks: [test], ...given, limits }),
    names(count).map((id) => story(id)),
  )
  for (const id of names(count)) player.perform(`CodeStory ${id}`)
  for (const id of names(count)) player.perform(`ComposeLine ${id}`)
  return player
}

const sorted = (player: Player) => player.due().sort()
const statuses = (player: Player) => player.state.order.map((id) => player.status(id))
const advanceAll = (player: Player) => {
  for (let id = advancing(player); id !== undefined; id = advancing(player)) player.perform(id)
}
const advancing = (player: Player) => player.due().find((name) => name.startsWith('AdvanceLine'))
const runs = (player: Player): Judge[] =>
  player.performed.flatMap((step) => (step.verb === 'Judge' && step.scope === 'line' ? [step] : []))

/** Ends so wherever this story's work is in what is judged. */
const endingWith =
  (culprit: string, bad: Ending) =>
  (player: Player): { Judge: Ending } => ({
    Judge: (step: Step) => {
      const cars = player.state.line.train
      const place = cars.indexOf((step as Judge).story!)
      return cars.slice(0, place + 1).includes(culprit) ? bad(step) : passes(step)
    },
  })
const redWith = (culprit: string) => endingWith(culprit, finds(1, `broken by ${culprit}`))
const silentWith = (culprit: string) => endingWith(culprit, isSilent)

describe('a train', () => {
  it('is composed of all that is ready, each on top of the one before it, and its top is judged', () => {
    const player = coupled(3)
    const tops = player.state.line.train.map((id) => player.story(id).control)
    expect(player.state.line.train).toEqual(names(3))
    expect(tops.map((control) => control.status === 'proving' && control.composed.onto)).toEqual([
      'c0',
      ...tops.slice(0, 2).map((control) => control.status === 'proving' && control.composed.commit),
    ])
    expect(player.due()).toEqual(['Judge s2 line check:test'])
    expect(player.find('Judge s2 line check:test')).toMatchObject({ base: 'c0' })
  })
  it('joins the line as a whole by one run, one after the other', () => {
    const player = coupled(3)
    player.perform('Judge s2 line check:test')
    expect(player.due()).toEqual(['AdvanceLine s0'])
    advanceAll(player)
    expect(statuses(player)).toEqual(['joined', 'joined', 'joined'])
    expect(player.run().result()).toBe('done')
    expect(runs(player)).toHaveLength(1)
  })
  it('has no more cars than it may', () => {
    const player = new Player(
      policy({ checks: [test], limits: { train: 2 } }),
      names(3).map((id) => story(id)),
    )
    for (const id of names(3)) player.perform(`CodeStory ${id}`)
    player.perform('ComposeLine s0')
    player.perform('ComposeLine s1')
    expect(player.due()).not.toContain('ComposeLine s2')
    expect(player.run().result()).toBe('done')
  })
  it('takes a story behind what it depends on, and not without it', () => {
    const stories = [story('a'), story('b', { dependsOn: ['a'] })]
    const player = new Player(policy({ checks: [test] }), stories)
    for (const name of ['CodeStory a', 'ComposeLine a', 'Judge a line check:test', 'AdvanceLine a', 'CodeStory b'])
      player.perform(name)
    player.perform('ComposeLine b')
    player.perform('Judge b line check:test')
    player.perform('AdvanceLine b')
    player.perform('Land', refuses('moved', 'c-theirs'))
    player.perform('ComposeLine a')
    expect(player.due()).toEqual(['ComposeLine b'])
    player.perform('ComposeLine b')
    player.perform('Judge b line check:test', finds())
    player.perform('Judge a line check:test', finds())
    expect([player.status('a'), player.status('b')]).toEqual(['coding', 'composing'])
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('spreads over lanes that nobody else needs, and lets stories be judged before that', () => {
    const player = coupled(4, { limits: { checks: 3 } })
    expect(player.due()).toEqual(['Judge s3 line check:test', 'Judge s0 line check:test', 'Judge s1 line check:test'])
    expect(busy({ land: 'each' }).due()).toEqual(['Judge s1 line check:test', 'Judge s2 check:test'])
  })
  it('waits for those that are being judged, so that one run proves them all', () => {
    const player = busy({})
    expect(player.due()).toEqual(['Judge s2 check:test', 'Judge s3 check:test'])
    player.perform('Judge s2 check:test')
    player.perform('ComposeLine s2')
    expect(player.due()).toEqual(['Judge s3 check:test'])
    player.perform('Judge s3 check:test')
    player.perform('ComposeLine s3')
    expect(player.due()).toEqual(['Judge s3 line check:test'])
  })
  it('waits for nobody where another story waits for it, nor where the one that is judged goes back', () => {
    expect(busy({}, [...four, story('s4', { dependsOn: ['s1'] })]).due()).toContain('Judge s1 line check:test')
    const player = busy({})
    player.perform('Judge s2 check:test', finds())
    player.perform('Judge s3 check:test', finds())
    expect(player.due()).toContain('Judge s1 line check:test')
  })
  it('goes on with what is being judged when another story is ready', () => {
    const player = coupled(2, { limits: { checks: 1 } })
    const begun = player.start('Judge s1 line check:test')
    player.tell({
      type: 'RepinPolicy',
      policy: policy({ checks: [test], limits: { checks: 1 } }),
      policyHash: 'p1',
      by,
    })
    expect(player.due()).toEqual(['Judge s1 line check:test'])
    player.end(begun)
    expect(player.due()).toEqual(['AdvanceLine s0'])
  })
})

const four = names(4).map((id) => story(id))

/** Four that are coded, of which two are composed and two are to be judged. */
function busy(settings: Parameters<typeof policy>[0], stories = four): Player {
  const lanes = { checks: [{ ...test, full: 'story' as const }], limits: { checks: 2, agents: 4 } }
  const player = new Player(policy({ ...lanes, ...settings }), stories)
  for (const id of names(4)) player.perform(`CodeStory ${id}`)
  for (const id of ['s0', 's1']) player.perform(`Judge ${id} check:test`)
  for (const id of ['s0', 's1']) player.perform(`ComposeLine ${id}`)
  return player
}

describe('a red train', () => {
  it.each(names(6))('sends back %s with what was found, and joins the others', (culprit) => {
    const player = coupled(6, { limits: { mergesPerStory: 0, attemptsPerStory: 1 } })
    const endings = redWith(culprit)(player)
    while (player.due().some((name) => !name.startsWith('Complete'))) player.performFirst(endings)
    expect(player.status(culprit)).toBe('failed')
    expect(player.story(culprit).findings).toMatchObject([{ message: `broken by ${culprit}` }])
    expect(statuses(player).filter((status) => status === 'merged')).toHaveLength(5)
    expect(runs(player).length).toBeLessThanOrEqual(Math.ceil(Math.log2(6)) + 2)
  })
  it('is halved: what holds joins at once, and nothing is coupled behind it meanwhile', () => {
    const player = coupled(4)
    player.perform('Judge s3 line check:test', finds())
    expect(player.due()).toEqual(['Judge s1 line check:test'])
    player.perform('Judge s1 line check:test')
    expect(player.due()).toEqual(['AdvanceLine s0', 'Judge s2 line check:test'])
    advanceAll(player)
    expect(player.find('Judge s2 line check:test')).toMatchObject({ base: player.state.line.tip })
    player.perform('Judge s2 line check:test')
    expect(player.find('CodeStory s3')).toMatchObject({ findings: [{ message: 'red' }], attempt: 1, turn: 1 })
    expect(player.story('s3').tally).toMatchObject({ rounds: 1, merges: 1 })
  })
  it('gives up judgements that cannot matter any more, and takes no word of them', () => {
    const player = coupled(4, { limits: { checks: 4 } })
    const judging = ['s3', 's2', 's1'].map((id) => player.start(`Judge ${id} line check:test`))
    const [top, third, second] = judging as [Step, Step, Step]
    player.end(second, finds())
    expect(sorted(player)).toEqual(['Judge s0 line check:test'])
    for (const late of [top, third]) player.end(late)
    expect(sorted(player)).toEqual(['Judge s0 line check:test'])
    player.perform('Judge s0 line check:test', finds())
    expect(statuses(player)).toEqual(['coding', 'composing', 'composing', 'composing'])
  })
  it('keeps a judgement that still matters while the line moves', () => {
    const player = coupled(3, { limits: { checks: 2 } })
    const [top, below] = [player.start('Judge s2 line check:test'), player.start('Judge s0 line check:test')]
    player.end(below)
    player.perform('AdvanceLine s0')
    expect(player.due()).toContain('Judge s2 line check:test')
    player.end(top)
    advanceAll(player)
    expect(statuses(player)).toEqual(['joined', 'joined', 'joined'])
  })
  it('loses only the story whose part no judge can speak on', () => {
    const player = coupled(2, { limits: { judgeRetries: 1 } })
    player.perform('Judge s1 line check:test', isSilent)
    player.perform('Judge s1 line check:test', isSilent)
    expect(statuses(player)).toEqual(['proving', 'proving'])
    player.perform('Judge s0 line check:test')
    expect(statuses(player)).toEqual(['proving', 'failed'])
    expect(player.story('s1').control).toMatchObject({ reason: 'check:test gave no verdict: it died' })
    expect(player.run().status('s0')).toBe('merged')
  })
  it.each(names(6))('finds %s, with which no judge can speak, and joins the others', (culprit) => {
    const player = coupled(6, { limits: { judgeRetries: 1 } })
    player.run(silentWith(culprit)(player))
    expect(player.status(culprit)).toBe('failed')
    expect(statuses(player).filter((status) => status === 'merged')).toHaveLength(5)
    expect(runs(player).length).toBeLessThanOrEqual(2 * (Math.ceil(Math.log2(6)) + 2))
  })
  it('asks again when a judge was silent, and takes the word it has then', () => {
    const player = coupled(2)
    player.perform('Judge s1 line check:test', isSilent)
    expect(player.run().result()).toBe('done')
    expect(runs(player)).toHaveLength(2)
  })
  it('proves a part ahead of time while its top has to wait', () => {
    const player = coupled(2)
    player.perform('Judge s1 line check:test', parks(500))
    expect([player.due(), player.wakeAt()]).toEqual([['Judge s0 line check:test'], 500])
    player.at = 500
    expect(player.run().result()).toBe('done')
  })
  it('finds the fault ahead of a story that changes nothing', () => {
    const two = new Player(policy({ checks: [test], limits: { checks: 1 } }), [story('a'), story('b')])
    two.perform('CodeStory a')
    two.perform('CodeStory b')
    two.perform('ComposeLine a')
    const { commit, tree } = topOf(two)
    two.perform('ComposeLine b', (step) => ({ ...composes()(step), commit, tree }) as DeliveryEvent)
    two.perform('Judge b line check:test', finds(1, 'broken'))
    expect(two.story('a')).toMatchObject({ control: { status: 'coding' }, findings: [{ message: 'broken' }] })
    expect(two.due()).toContain('ComposeLine b')
  })
})

const topOf = (player: Player) => {
  const { control } = player.story(player.state.line.train.at(-1)!)
  if (control.status !== 'proving') throw new Error('not in the train')
  return control.composed
}

const meddling = [
  ['skipped', { type: 'SkipStory', story: 's1', reason: '', by }],
  ['retried', { type: 'RetryStory', story: 's1', advice: '', by }],
  ['amended', { type: 'AmendStory', story: 's1', changes: { title: 'other' }, by }],
] as const
const isRefusedByTheWorld: Ending = ({ id, story: of }) => ({
  type: 'StepFailed',
  step: id,
  story: of,
  message: 'no',
  remedy: 'mend it',
})

describe('a car', () => {
  it('that conflicts waits until what is ahead has joined, and only then is sent back', () => {
    const player = new Player(
      policy({ checks: [test] }),
      names(3).map((id) => story(id)),
    )
    for (const id of names(3)) player.perform(`CodeStory ${id}`)
    player.perform('ComposeLine s0')
    player.perform('ComposeLine s1', conflicts)
    player.perform('ComposeLine s2')
    expect(statuses(player)).toEqual(['proving', 'composing', 'proving'])
    expect(player.state.line.train).toEqual(['s0', 's2'])
    player.perform('Judge s2 line check:test')
    expect(player.status('s1')).toBe('composing')
    const { to } = player.perform('AdvanceLine s0') as AdvanceLine
    expect(player.find('CodeStory s1')).toMatchObject({ base: to, findings: [{ source: 'compose' }] })
    expect(player.run().result()).toBe('done')
  })
  it('that conflicts is composed again when what is ahead has left, and nobody codes', () => {
    const player = new Player(policy({ checks: [test] }), [story('s0'), story('s1')])
    for (const id of names(2)) player.perform(`CodeStory ${id}`)
    player.perform('ComposeLine s0')
    player.perform('ComposeLine s1', conflicts)
    player.perform('Judge s0 line check:test', finds())
    expect(player.find('ComposeLine s1')).toMatchObject({ onto: 'c0' })
    expect(player.run().result()).toBe('done')
    expect(player.times('CodeStory s1')).toBe(1)
  })
  it.each(meddling)('that is %s leaves it: those ahead go on, those behind are composed again', (_, intent) => {
    const player = coupled(3, { limits: { checks: 3 } })
    const judging = player.start('Judge s2 line check:test')
    player.tell(intent)
    expect(player.state.line.train).toEqual(['s0'])
    expect(player.due()).toContain('ComposeLine s2')
    player.end(judging)
    expect(player.state.proven).toEqual({})
    player.run()
    expect([player.status('s0'), player.status('s2')]).toEqual(['merged', 'merged'])
  })
  it.each(meddling)('that is proven with what has joined ahead of it is not %s any more', (_, intent) => {
    const player = coupled(3)
    player.perform('Judge s2 line check:test')
    const joining = player.start('AdvanceLine s0')
    expect(player.tell(intent)).toHaveProperty('refused')
    player.end(joining)
    expect(player.tell(intent)).toHaveProperty('refused')
    expect(player.run().result()).toBe('done')
  })
  it.each(meddling)('that is proven by itself may still be %s', (_, intent) => {
    const player = coupled(3, { limits: { checks: 3 } })
    player.perform('Judge s0 line check:test')
    player.perform('Judge s2 line check:test')
    player.perform('AdvanceLine s0')
    expect(player.tell(intent)).toHaveProperty('events')
  })
  it('that is composed behind an unproven tip is compared with what is proven, not with the tip', () => {
    const player = coupled(3)
    player.perform('Judge s2 line check:test')
    player.perform('AdvanceLine s0')
    player.perform('AdvanceLine s1', isRefusedByTheWorld)
    player.perform('ComposeLine s2')
    expect(player.find('Judge s2 line check:test')).toMatchObject({ base: 'c0' })
  })
})

describe('what a pass beside an unproven base proves', () => {
  it('is nothing: the tree is judged on the line', () => {
    const player = coupled(2, { checks: [{ ...test, full: 'merge' }] })
    player.perform('Judge s1 line check:test')
    player.perform('AdvanceLine s0')
    const tip = player.state.line.tip
    player.perform('AdvanceLine s1', isRefusedByTheWorld)
    player.tell({ type: 'RetryStory', story: 's1', advice: '', by })
    const strict: Policy = policy({ limits: { checks: 1 } })
    player.tell({ type: 'RepinPolicy', policy: strict, policyHash: 'p2', by })
    expect(player.find('CodeStory s1')).toMatchObject({ base: tip })
    player.perform('CodeStory s1', codes('t1'))
    player.perform('Judge s1 check:test')
    player.perform('ComposeLine s1', composes('t1'))
    expect(player.due()).toEqual(['Judge s1 line check:test'])
    expect(player.find('Judge s1 line check:test')).toMatchObject({ base: 'c0' })
  })
})

describe('a train and what is around it', () => {
  it('lands with each story only what is proven', () => {
    const player = coupled(3, { land: 'each' })
    player.perform('Judge s2 line check:test')
    player.perform('AdvanceLine s0')
    expect(player.due()).toEqual(['AdvanceLine s1'])
    player.perform('AdvanceLine s1')
    player.perform('AdvanceLine s2')
    expect(player.due()).toEqual(['Land'])
    player.perform('Land')
    expect(statuses(player)).toEqual(['merged', 'merged', 'merged'])
  })
  it('is composed anew on a target that has moved, what was on the line first', () => {
    const player = coupled(3, { land: 'each' })
    player.perform('Judge s2 line check:test', finds())
    player.perform('Judge s0 line check:test')
    player.perform('AdvanceLine s0')
    player.perform('Land', refuses('moved', 'c-theirs'))
    expect(player.state.line.train).toEqual([])
    expect(player.find('ComposeLine s0')).toMatchObject({ onto: 'c-theirs' })
    expect(player.run().result()).toBe('done')
  })
  it('is judged anew under another policy, red ones as well', () => {
    const player = coupled(3)
    player.perform('Judge s2 line check:test', finds())
    const other = policy({ checks: [test], limits: { checks: 1 } })
    player.tell({ type: 'RepinPolicy', policy: other, policyHash: 'p2', by })
    expect(player.due()).toEqual(['Judge s2 line check:test'])
    expect(player.run().result()).toBe('done')
  })
  it('stands still while it is paused, and what runs goes on', () => {
    const player = coupled(3)
    const judging = player.start('Judge s2 line check:test')
    player.tell({ type: 'PauseDelivery', now: false, by })
    expect(player.due()).toEqual(['Judge s2 line check:test'])
    player.end(judging)
    expect(player.due()).toEqual([])
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('takes stories as they pass their gates', () => {
    const player = new Player(policy({ checks: [test], gates: 'manual', unattended: false }), [story('a'), story('b')])
    player.answer('approve')
    player.perform('AskQuestion')
    player.answer('approve')
    player.run()
    for (const _ of ['a', 'b']) player.answer('approve')
    expect(player.due()).toEqual(['ComposeLine a'])
    player.perform('ComposeLine a')
    player.perform('ComposeLine b')
    expect(player.due()[0]).toBe('Judge b line check:test')
    expect(player.run().result()).toBe('done')
  })
  it('goes on to the same end whatever a dead process left running', () => {
    const player = coupled(4, { limits: { checks: 3, lostStartsPerStep: 9 } })
    for (const name of player.due()) player.start(name)
    player.end(player.find('Judge s0 line check:test'), finds())
    expect(statuses(player)).toEqual(['coding', 'composing', 'composing', 'composing'])
    expect(Object.values(player.state.running)).toHaveLength(2)
    expect(player.run({ CodeStory: happily }).result()).toBe('done')
  })
})
