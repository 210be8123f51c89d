import { describe, expect, it } from 'vitest'
import { fuel } from '../../../src/delivery/fuel.ts'
import { asks, codes, drafts, fails, finds, parks, refuse } from '../endings.ts'
import { given } from '../given.ts'
import { Player } from '../player.ts'
import { agent, policy, story, turnOf } from '../sample.ts'

const by = 'somebody'
const pair = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine', 'other'], planner: [] as string[] } }
const play = (settings: Parameters<typeof policy>[0] = {}): Player => new Player(policy(settings), [story('a')])

/** Starts the coding step and opens a session in it. */
function begin(player: Player, session = 's1') {
  const step = player.start('CodeStory a')
  player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session })
  return step
}

const abort = (player: Player, step: { id: string }) =>
  player.record({ type: 'StepAborted', step: step.id, story: 'a', reason: 'no longer due' })

const tell = (player: Player, text = 'use tabs') => player.tell({ type: 'TellStory', story: 'a', text, by })

const toldTo = (player: Player): string[] => {
  const step = player.find('CodeStory a')
  return step.verb === 'CodeStory' ? step.findings.filter(({ rule }) => rule === 'told').map((one) => one.message) : []
}

describe('telling a story something', () => {
  it('is an event, refused where nobody would hear it', () => {
    const intent = { type: 'TellStory' as const, story: 'a', text: 'use tabs', by }
    given(play().state)
      .when(intent)
      .then([{ type: 'StoryTold', story: 'a', text: 'use tabs', by }])
    given(play().state)
      .when({ ...intent, text: ' ' })
      .refused(/nothing to tell/)
    given(play().state)
      .when({ ...intent, story: 'x' })
      .refused(/no story x/)
    given(play().run().state)
      .when(intent)
      .refused(/on the line already/)
    const failed = play({ limits: { attemptsPerStory: 1 } })
    failed.perform('CodeStory a', fails('empty'))
    given(failed.state)
      .when(intent)
      .refused(/nobody works on a: it is failed/)
  })
  it('ends the running turn, and the next goes on in the same session where that one was', () => {
    const player = play()
    const step = begin(player)
    tell(player)
    const next = player.find('CodeStory a')
    expect(next.id).not.toBe(step.id)
    player.end(step, codes('t-late'))
    expect(player.status('a')).toBe('coding')
    expect(player.story('a').thisAttempt.session).toEqual({ agent: 'mine', id: 's1', open: true, totals: null })
    expect(toldTo(player)).toEqual(['use tabs'])
    const { attempt, round, turn, tally } = player.story('a')
    expect([attempt, round, turn, tally.rounds, tally.parks]).toEqual([1, 1, 0, 1, 0])
  })
  it('takes no second place while the first turn is ended', () => {
    const player = play({ limits: { agents: 1 } })
    const step = begin(player)
    tell(player)
    expect(player.due()).toEqual(['CodeStory a'])
    abort(player, step)
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('reaches the next coding turn of a story that is being judged, with what the judge found', () => {
    const player = play()
    player.perform('CodeStory a')
    tell(player)
    player.perform('Judge a check:test', finds(1, 'one is red'))
    const step = player.find('CodeStory a')
    expect(step.verb === 'CodeStory' && step.findings.map(({ message }) => message)).toEqual(['one is red', 'use tabs'])
  })
  it('is heard once by a turn that ends well, and again after one that does not', () => {
    const player = play()
    tell(player)
    player.perform('CodeStory a', fails('empty'))
    expect(toldTo(player)).toEqual(['use tabs'])
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds())
    expect(toldTo(player)).toEqual([])
  })
  it('changes nothing for a story that needs no further turn', () => {
    const player = play()
    player.perform('CodeStory a')
    tell(player)
    expect(player.run().result()).toBe('done')
  })
})

describe('a session', () => {
  it('is open from when it is opened until its turn has an outcome', () => {
    const player = play()
    player.end(begin(player))
    expect(player.story('a').thisAttempt.session).toMatchObject({ id: 's1', open: false })
  })
  it.each(['timeout', 'crash'] as const)('is closed by a turn that failed (%s)', (kind) => {
    const player = play()
    player.end(begin(player), fails(kind))
    expect(player.story('a').thisAttempt.session?.open ?? false).toBe(false)
  })
  it('stays open when its turn is aborted, parked, refused, lost, or asks', () => {
    const ways: ((player: Player, step: ReturnType<typeof begin>) => void)[] = [
      abort,
      (player, step) => player.end(step, parks(5)),
      (player, step) => player.end(step, refuse('overloaded')),
      (player) => player.start('CodeStory a'),
      (player, step) => player.end(step, asks('Which?')),
    ]
    for (const way of ways) {
      const player = play({ unattended: false })
      way(player, begin(player))
      expect(player.story('a').thisAttempt.session).toMatchObject({ id: 's1', open: true })
    }
  })
  it('ends with its attempt, and a late word of it opens nothing', () => {
    const player = play()
    const step = begin(player)
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by })
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's1' })
    expect(player.story('a').thisAttempt.session).toBeNull()
  })
  it('is closed when another agent goes on in its workspace, and stays its own', () => {
    const player = play(pair)
    player.end(begin(player), refuse('auth'))
    const step = player.start('CodeStory a')
    abort(player, step)
    expect(player.story('a').thisAttempt.session).toMatchObject({ agent: 'mine', id: 's1', open: false })
  })
  it('knows what it had spent, also after a turn that was lost, and not after one of another agent', () => {
    const player = play()
    const step = begin(player)
    const totals = { inputTokens: 70, outputTokens: 7, cachedTokens: 0 }
    const spent = (given: { agent?: string } = {}) => ({
      type: 'TurnSpent' as const,
      step: step.id,
      turn: turnOf('a', given),
    })
    player.record({ ...spent({ agent: 'other' }), totals })
    expect(player.story('a').thisAttempt.session?.totals).toBeNull()
    player.start('CodeStory a')
    player.record({ ...spent(), totals })
    player.record({ ...spent(), totals: null })
    expect(player.story('a').thisAttempt.session).toEqual({ agent: 'mine', id: 's1', open: true, totals })
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's1' })
    expect(player.story('a').thisAttempt.session?.totals).toEqual(totals)
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's2' })
    expect(player.story('a').thisAttempt.session?.totals).toBeNull()
  })
})

describe('a session that fills its window', () => {
  const turned = (context: number | undefined, settings: Parameters<typeof policy>[0] = {}) => {
    const player = play(settings)
    const step = begin(player)
    const told = context === undefined ? {} : { context }
    player.record({
      type: 'TurnSpent',
      step: step.id,
      turn: turnOf('a', { model: 'claude-opus' }),
      totals: null,
      ...told,
    })
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's1' })
    player.end(step, codes('t1'))
    return player.story('a')
  }
  it('is given up at the end of the turn, and no attempt or round is spent on it', () => {
    const { thisAttempt, attempt, round, tally } = turned(100_001)
    expect([thisAttempt.session, attempt, round, tally.rounds, tally.attempts]).toEqual([null, 1, 1, 1, 1])
  })
  it('goes on up to the half, and where nothing is told or known', () => {
    expect(turned(100_000).thisAttempt.session).toMatchObject({ id: 's1' })
    expect(turned(undefined).thisAttempt.session).toMatchObject({ id: 's1' })
  })
  it('is measured by what the settings say, where they do', () => {
    const own = { agents: { mine: { ...agent(), contextWindow: 1_000_000 } } }
    expect(turned(400_000, own).thisAttempt.session).toMatchObject({ id: 's1' })
    expect(turned(500_001, own).thisAttempt.session).toBeNull()
  })
})

describe('a permission', () => {
  const asked = (settings: Parameters<typeof policy>[0] = {}) => {
    const player = play({ unattended: false, ...settings })
    player.end(begin(player), asks('', [], 'execute: npm publish'))
    return player
  }
  it('is a question with two answers, and no by default', () => {
    const player = asked({ limits: { questionDeadlineMs: 9 } }).run()
    const [question] = Object.values(player.state.questions)
    expect(question!.question).toMatchObject({ kind: 'permission', default: 'deny', deadlineAt: 9 })
    expect(question!.question.options.map(({ id }) => id)).toEqual(['allow', 'deny'])
    given(player.state)
      .when({ type: 'AnswerQuestion', question: 'permission-a-1', option: 'perhaps', text: '', by })
      .refused(/not an answer/)
  })
  it('waits only in working hours, and a pause takes nothing of them', () => {
    const morning = { days: [0, 1, 2, 3, 4, 5, 6], from: 1, to: 2, utcOffsetMinutes: 0 }
    const player = asked({ workingHours: morning, limits: { questionDeadlineMs: 9 } }).run()
    const deadline = () => Object.values(player.state.questions)[0]!.question.deadlineAt
    expect(deadline()).toBe(60_009)
    player.tell({ type: 'PauseDelivery', now: false, by })
    player.at = 3_600_000
    player.tell({ type: 'ResumeDelivery', by })
    expect(deadline()).toBe(24 * 3_600_000 + 60_009)
  })
  it('has as much time left under other hours, which are set while it waits', () => {
    const player = asked({ limits: { questionDeadlineMs: 9_000 } }).run()
    player.at = 1_000
    player.tell({ type: 'PauseDelivery', now: false, by })
    player.at = 3_600_000
    const workingHours = { days: [0, 1, 2, 3, 4, 5, 6], from: 1, to: 2, utcOffsetMinutes: 0 }
    const now = { ...player.state.policy!, workingHours }
    player.tell({ type: 'RepinPolicy', policy: now, policyHash: 'p2', by })
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.wakeAt()).toBe(24 * 3_600_000 + 60_000 + 8_000)
  })
  it('that is given is kept, and the same session goes on and knows', () => {
    const player = asked().run()
    player.answer('allow')
    expect(player.story('a')).toMatchObject({ grants: ['execute: npm publish'], attempt: 1, tally: { rounds: 1 } })
    expect(player.story('a').thisAttempt.session).toMatchObject({ id: 's1', open: true })
    expect(toldTo(player)[0]).toMatch(/execute: npm publish\nIt is allowed/)
  })
  it('that is not given is not, and the same session goes on and knows', () => {
    const player = asked().run()
    player.answer('deny')
    expect(player.story('a')).toMatchObject({ grants: [], denials: ['execute: npm publish'], attempt: 1 })
    expect(player.story('a')).toMatchObject({
      tally: { rounds: 2 },
      thisAttempt: { session: { id: 's1', open: true } },
    })
    expect(toldTo(player)[0]).toMatch(/not allowed/)
  })
  it('that is not given is told to every later turn, also of other attempts', () => {
    const player = asked({ limits: { roundsPerAttempt: 2, attemptsPerStory: 2 } }).run()
    player.answer('deny')
    player.perform('CodeStory a', fails('empty'))
    expect(player.story('a').attempt).toBe(2)
    expect(toldTo(player)).toEqual([expect.stringMatching(/npm publish\nIt is not allowed/)])
  })
  it('of a kind that was denied is no question any more, and costs a round', () => {
    const player = asked({ limits: { roundsPerAttempt: 9 } }).run()
    player.answer('deny')
    player.perform('CodeStory a', asks('', [], 'execute: npm publish --tag next'))
    expect([player.status('a'), player.story('a').tally.rounds]).toEqual(['coding', 3])
    player.perform('CodeStory a', asks('', [], 'execute: npm install'))
    expect(player.status('a')).toBe('asking')
  })
  it('is denied when the deadline passes, which refuels nothing', () => {
    const player = asked({ limits: { questionDeadlineMs: 9, turnsPerStory: 2 } }).run()
    player.at = 9
    player.perform('CloseQuestion a')
    expect(toldTo(player)[0]).toMatch(/not allowed/)
    player.perform('CodeStory a', asks('', [], 'execute: npm install'))
    player.run()
    player.at = 18
    player.perform('CloseQuestion a')
    expect(player.story('a').control).toMatchObject({ status: 'escalated', reason: expect.stringMatching(/turns/) })
  })
  it('is denied in the last round, and the planner who is asked then lowers the fuel', () => {
    const limits = { questionDeadlineMs: 9, roundsPerAttempt: 1, attemptsPerStory: 1 }
    const roles = { coder: ['mine'], planner: ['other'] }
    const player = new Player(policy({ ...pair, roles, unattended: false, limits }), null)
    player.perform('DraftPlan', drafts({ outline: null, stories: [story('a', { complexity: 8 })] }))
    player.perform('CodeStory a', asks('', [], 'execute: npm publish'))
    player.run()
    const left = fuel(player.state)
    player.at = 9
    player.perform('CloseQuestion a')
    expect(player.status('a')).toBe('respecifying')
    expect(fuel(player.state)).toBeLessThan(left)
  })
  it('is denied at once when nobody is there, and no coder asks for more than its rounds', () => {
    const limits = { roundsPerAttempt: 2, attemptsPerStory: 3, turnsPerStory: 40 }
    const player = asked({ unattended: true, limits })
    expect(player.story('a')).toMatchObject({ attempt: 1, grants: [], tally: { rounds: 2 } })
    expect(toldTo(player)[0]).toMatch(/not allowed/)
    let asking = 0
    while (['coding', 'waiting'].includes(player.status('a')))
      player.perform('CodeStory a', asks('', [], `edit: file-${asking++}`))
    expect([player.times('CodeStory a'), player.status('a')]).toEqual([6, 'failed'])
  })
})

describe('a coder that is stuck', () => {
  it('goes on in the same session with a hint the first time, which costs a round', () => {
    const player = play()
    player.end(begin(player), fails('stuck', 'the same call three times'))
    const { attempt, round, tally, thisAttempt, past } = player.story('a')
    expect([attempt, round, tally.rounds, thisAttempt.session?.id, past]).toEqual([1, 2, 2, 's1', []])
    const step = player.find('CodeStory a')
    expect(step.verb === 'CodeStory' && step.findings[0]).toMatchObject({ rule: 'stuck' })
  })
  it('begins anew the second time in an attempt, then with another agent, then comes to a human', () => {
    const player = play({ ...pair, unattended: false, limits: { attemptsPerStory: 2, roundsPerAttempt: 9 } })
    player.end(begin(player), fails('stuck'))
    player.perform('CodeStory a', fails('stuck'))
    expect(player.story('a')).toMatchObject({ attempt: 2, thisAttempt: { session: null, stuck: false } })
    expect(player.find('CodeStory a')).toMatchObject({ agent: 'other' })
    player.perform('CodeStory a', fails('stuck'))
    player.perform('CodeStory a', fails('stuck'))
    expect(player.status('a')).toBe('escalated')
  })
  it('has no hint left when it has no round left', () => {
    const player = play({ limits: { roundsPerAttempt: 1 } })
    player.perform('CodeStory a', fails('stuck'))
    expect(player.story('a').attempt).toBe(2)
  })
})
