import { describe, expect, it } from 'vitest'
import { dueSteps } from '../../../src/delivery/due.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { breaks, fails, refuses } from '../endings.ts'
import { Player } from '../player.ts'
import { policy, story, turnOf } from '../sample.ts'

const by = 'somebody'
const hour = 3_600_000
const escalated = () => {
  const player = new Player(policy({ unattended: false, limits: { attemptsPerStory: 1 } }), [story('a')])
  player.perform('CodeStory a', fails('empty'))
  player.perform('AskQuestion a')
  return player
}
const landing = () => {
  const player = new Player(policy({ land: 'each' }), [story('a'), story('b', { dependsOn: ['a'] })])
  while (!player.due().includes('Land')) player.performFirst({})
  player.start('Land')
  return player
}

describe('a pause', () => {
  it('lets what runs end, and begins nothing', () => {
    const player = new Player(policy(), [story('a'), story('b')])
    const coding = player.start('CodeStory a')
    player.tell({ type: 'PauseDelivery', now: false, by })
    expect(player.due()).toEqual(['CodeStory a'])
    player.end(coding)
    expect(player.due()).toEqual([])
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.due()).toEqual(['Judge a check:test', 'CodeStory b'].sort().reverse())
  })
  it('that is to be now ends what runs, but not a landing', () => {
    const player = landing()
    player.start('CodeStory b')
    player.tell({ type: 'PauseDelivery', now: true, by })
    expect(player.due()).toEqual(['Land'])
  })
  it('does not go on with what was overtaken meanwhile', () => {
    const player = new Player(policy(), [story('a')])
    player.start('CodeStory a')
    player.tell({ type: 'PauseDelivery', now: false, by })
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by })
    expect(player.due()).toEqual([])
  })
  it('does not eat into a deadline, even when it is made sharper', () => {
    const player = escalated()
    const deadline = player.wakeAt()!
    player.at = 1000
    player.tell({ type: 'PauseDelivery', now: false, by })
    player.at += hour / 2
    player.tell({ type: 'PauseDelivery', now: true, by })
    player.at += hour / 2
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.wakeAt()).toBe(deadline + hour)
  })
  it('nor does the time after an end', () => {
    const player = escalated()
    const deadline = player.wakeAt()!
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    player.run()
    player.at += hour
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.wakeAt()).toBe(deadline + hour)
  })
})

describe('a stop', () => {
  it('ends at once, and can be resumed to the same end', () => {
    const player = new Player(policy(), [story('a')])
    player.start('CodeStory a')
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    expect(player.run().state.mode).toMatchObject({ result: 'stopped', reason: 'enough' })
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('waits for a landing', () => {
    const player = landing()
    const land = player.find('Land')
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    expect(player.due()).toEqual(['Land'])
    player.end(land)
    expect(player.due()).toEqual(['CompleteDelivery'])
    expect(player.status('a')).toBe('merged')
  })
})

describe('a landing that has started', () => {
  it('stays due whatever people say about other stories', () => {
    const player = landing()
    player.tell({ type: 'AmendStory', story: 'b', changes: { title: 'x' }, by })
    expect(player.due()).toContain('Land')
    player.tell({ type: 'SkipStory', story: 'b', reason: '', by })
    expect(player.due()).toContain('Land')
  })
  it('is not forgotten when somebody calls it aborted', () => {
    const player = landing()
    const { id } = player.find('Land')
    player.record({ type: 'StepAborted', step: id, story: null, reason: 'interrupted' })
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    expect(player.due()).toEqual(['Land'])
  })
  it('is taken up again after a quarantine', () => {
    const player = landing()
    for (let n = 0; n < 3; n++) player.start('Land')
    expect(player.run().result()).toBe('crashed')
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.due()).toContain('Land')
    expect(player.run().result()).toBe('done')
  })
  it('is awaited when another step is what we die of', () => {
    const player = landing()
    for (let n = 0; n < 4; n++) player.start('CodeStory b')
    expect(player.due()).toEqual(['Land'])
    player.end(player.find('Land'))
    expect(player.find('CompleteDelivery')).toMatchObject({
      result: 'crashed',
      reason: expect.stringMatching(/CodeStory of b/),
    })
  })
})

describe('after the end', () => {
  it('nothing is due, and what comes late changes nothing but the ledger', () => {
    const player = new Player(policy(), [story('a')])
    const late = player.start('CodeStory a')
    player.tell({ type: 'StopDelivery', reason: 'enough', by })
    player.run()
    const { version: _, money, ...before } = structuredClone(player.state)
    player.end(late)
    player.record({ type: 'StepStarted', step: late, try: 2, worker: 'zombie', mark: 'm', reserveUsd: 1 })
    player.record({ type: 'StepParked', step: late.id, story: 'a', until: 9, reason: '' })
    player.record({ type: 'SessionOpened', step: late.id, story: 'a', agent: 'mine', session: 's' })
    player.record({ type: 'ConcernRaised', story: 'a', text: 'late' })
    player.record({ type: 'TurnSpent', step: late.id, turn: turnOf('a'), totals: null })
    expect(player.state).toMatchObject(before)
    expect(player.due()).toEqual([])
    expect([money.usd, player.state.money.usd]).toEqual([0, 1])
  })
})

describe('trouble with the delivery as a whole', () => {
  it('is a question, and what is asked again is asked as another', () => {
    const player = new Player(policy({ unattended: false }), [story('a')]).run({ Land: breaks })
    expect(player.state.trouble).toMatchObject({ message: 'no' })
    player.answer('retry')
    player.run({ Land: breaks })
    expect(Object.keys(player.state.questions)).toEqual(['trouble-1', 'trouble-2'])
    player.answer('retry')
    expect(player.run().result()).toBe('done')
  })
  it('blocks when nobody is there, until somebody resumes', () => {
    const player = new Player(policy(), [story('a')]).run({ Land: breaks })
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: 'no (mend it)' })
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('is over by one resume also where the end that it is the reason of was not written any more', () => {
    const player = new Player(policy(), [story('a')])
    while (player.state.trouble === null) player.performFirst({ Land: breaks })
    expect(player.result()).toBe('active')
    const { id } = player.start('CompleteDelivery')
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.state.running[id], 'it is not due any more').toBeUndefined()
    expect(player.run().result()).toBe('done')
  })
  it('can end in a stop', () => {
    const player = new Player(policy({ unattended: false }), [story('a')]).run({ Land: breaks })
    player.answer('stop')
    expect(player.run().result()).toBe('stopped')
  })
})

describe('an escalation', () => {
  it('that nobody answers in time fails the story, and blocks the delivery', () => {
    const player = escalated()
    expect(player.due()).toEqual([])
    player.at = player.wakeAt()! - 1
    expect(player.due()).toEqual([])
    player.at += 1
    player.run()
    expect(player.story('a').control).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/^nobody answered in time: /),
    })
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: 'failed: a' })
  })
  it('that nobody answers leaves the story out where the settings say so, and the end says it first', () => {
    const lenient = policy({ unattended: false, unanswered: 'skip', limits: { attemptsPerStory: 1 } })
    const player = new Player(lenient, [story('a'), story('b')])
    player.perform('CodeStory a', fails('intent-gap'))
    player.run()
    player.at = player.wakeAt()!
    player.run()
    expect(player.status('a')).toBe('skipped')
    expect(player.state.mode).toMatchObject({
      ...{ result: 'done-with-concerns', reason: 'skipped: a (nobody answered in time)' },
      concerns: expect.arrayContaining([expect.stringMatching(/^a was left out: nobody answered in time: /)]),
    })
  })
  it('is answered with advice', () => {
    const player = escalated()
    player.answer('retry', 'think')
    expect(player.find('CodeStory a')).toMatchObject({
      attempt: 2,
      findings: expect.arrayContaining([expect.objectContaining({ message: 'think' })]),
    })
    player.perform('CodeStory a', fails('idle'))
    player.perform('AskQuestion a')
    expect(Object.keys(player.state.questions)).toEqual(['escalation-a-1', 'escalation-a-2'])
  })
})

describe('a gate before each story', () => {
  const gated = () => new Player(policy({ gates: 'manual', unattended: false }), [story('a')])
  const atGate = () => {
    const player = gated().run()
    player.answer('approve')
    return player.run()
  }

  it('holds what every judge has passed', () => {
    const player = atGate()
    expect(player.status('a')).toBe('gated')
    player.answer('approve')
    expect(player.run().result()).toBe('done')
  })
  it('opens when another gate mode is pinned, and holds from then on what passes', () => {
    const repin = (player: Player, gates: Policy['gates']) =>
      player.tell({ type: 'RepinPolicy', policy: { ...player.state.policy!, gates }, policyHash: gates, by: 'me' })
    const player = atGate()
    repin(player, 'auto')
    expect(player.run().result()).toBe('done')
    const late = new Player(policy({ unattended: false }), [story('a')])
    late.perform('CodeStory a')
    repin(late, 'manual')
    late.run()
    expect(late.status('a')).toBe('gated')
  })
  it('sends it back with a reason, at no attempt and no round', () => {
    const player = atGate()
    player.answer('reject', 'not so')
    expect(player.find('CodeStory a')).toMatchObject({ attempt: 1, findings: [{ source: 'human', message: 'not so' }] })
    expect(player.story('a').tally).toMatchObject({ attempts: 1, rounds: 1 })
  })
  it('asks again about what came of it, and not about what was laid again', () => {
    const player = atGate()
    player.answer('reject', 'not so')
    player.run()
    player.answer('approve')
    player.perform('ComposeLine a')
    player.perform('Judge a line check:test')
    player.perform('AdvanceLine a')
    player.perform('Land', refuses('moved'))
    expect(player.run().result()).toBe('done')
    expect(Object.keys(player.state.questions)).toEqual(['plan-1', 'gate-a-1', 'gate-a-2'])
  })
  it('can leave it out', () => {
    const player = atGate()
    player.answer('skip')
    expect(player.run().result()).toBe('blocked')
  })
})

describe('working hours', () => {
  const closed = (changesAt: number | null) => ({ at: 5, day: '2026-01-01', open: false, changesAt })

  it('hold agents, and nothing else', () => {
    const { state } = new Player(policy(), [story('a')])
    expect(dueSteps(state, closed(70))).toEqual({ steps: [], wakeAt: 70 })
    const judged = new Player(policy(), [story('a')])
    judged.perform('CodeStory a')
    expect(dueSteps(judged.state, closed(70)).steps).toHaveLength(1)
  })
  it('hold the planner too, and never end a delivery', () => {
    const { state } = new Player(policy({ roles: { coder: ['mine'], planner: ['mine'] } }), null)
    expect(dueSteps(state, closed(70))).toEqual({ steps: [], wakeAt: 70 })
    expect(dueSteps(state, closed(null))).toEqual({ steps: [], wakeAt: null })
  })
  it('let an agent that is at work finish', () => {
    const player = new Player(policy(), [story('a')])
    const step = player.start('CodeStory a')
    expect(dueSteps(player.state, closed(70)).steps).toEqual([step])
  })
})
