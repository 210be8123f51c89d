import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../src/delivery/events.ts'
import type { AskQuestion, CodeStory, DraftPlan, Step } from '../../../src/delivery/step.ts'
import { absencesView, absenceText } from '../../../src/views/status.ts'
import { codes, fails, finds, refuse } from '../endings.ts'
import { Player } from '../player.ts'
import { agent, policy, story } from '../sample.ts'

const by = 'somebody'
const minuteMs = 60_000
const pair = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine', 'other'], planner: [] as string[] } }
const alone = { agents: { mine: agent() }, roles: { coder: ['mine'], planner: [] as string[] } }
const two = [story('a'), story('b')]

const play = (given: Parameters<typeof policy>[0] = {}, stories = [story('a')]): Player =>
  new Player(policy(given), stories)
const agentOf = (step: Step): string => (step as CodeStory | DraftPlan).agent
const nextOf = (player: Player, name = 'CodeStory a'): CodeStory => player.find(name) as CodeStory

describe('a refusal', () => {
  const kinds: Refusal[] = ['rate-limit', 'overloaded', 'network', 'quota', 'auth', 'model', 'bad-request']
  it.each([...kinds, 'permission', 'spawn', 'session'] as Refusal[])('of %s spends nothing but patience', (kind) => {
    const player = play(pair)
    const step = player.start('CodeStory a', { reserveUsd: 5 })
    player.end(step, refuse(kind))
    const { attempt, round, turn, tally, past, findings } = player.story('a')
    expect({ attempt, round, turn, past, findings }).toEqual({ attempt: 1, round: 1, turn: 0, past: [], findings: [] })
    expect(tally).toMatchObject({ attempts: 1, rounds: 1, crashes: {}, parks: 1 })
    expect(player.state.money.reserved).toEqual({})
    expect(player.state.running).toEqual({})
  })
  it('of a step that was overtaken says nothing', () => {
    const player = play(pair)
    const step = player.start('CodeStory a')
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by })
    player.end(step, refuse('auth'))
    expect(player.state.absences).toEqual({})
  })
  it('is bounded, so that the story comes to a human in the end', () => {
    const player = play({ ...alone, limits: { parksPerStory: 3 } })
    for (let n = 0; n < 4; n++) player.perform('CodeStory a', refuse('session'))
    expect(player.story('a').control).toMatchObject({ status: 'failed', reason: expect.stringMatching(/too often/) })
  })
})

describe('an agent that rests', () => {
  it('is waited for until the time it has told', () => {
    const player = play(alone)
    player.perform('CodeStory a', refuse('rate-limit', 5_000))
    expect([player.due(), player.wakeAt()]).toEqual([[], 5_000])
    player.at = 5_000
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('holds back every other story that would run into the same limit', () => {
    const player = play({ ...alone, limits: { agents: 2 } }, two)
    const [a, b] = [player.start('CodeStory a'), player.find('CodeStory b')]
    player.end(a, refuse('rate-limit', 5_000))
    expect(player.due()).toEqual([])
    player.at = 5_000
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory b'])
    expect(player.find('CodeStory b').id).toBe(b.id)
  })
  it('does not hold back another model of the same agent', () => {
    const models = { fast: 'small', powerful: 'large' }
    const player = play({ ...alone, agents: { mine: agent({ models }) } }, [story('a'), story('b', { complexity: 8 })])
    player.perform('CodeStory a', refuse('rate-limit', 5_000))
    expect(player.due()).toEqual(['CodeStory b'])
  })
  it('is left alone for twice as long each time, never longer than ten minutes, and not by the same for all', () => {
    const player = play({ ...alone, limits: { parksPerStory: 50 } })
    const waits: number[] = []
    for (let n = 0; n < 12; n++) {
      player.perform('CodeStory a', refuse('overloaded'))
      waits.push(player.wakeAt()! - player.at)
      player.at = player.wakeAt()!
    }
    const expected = waits.map((_, n) => Math.min(10 * minuteMs, 5_000 * 2 ** n))
    for (const [n, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(expected[n]!)
      expect(wait).toBeGreaterThanOrEqual(expected[n]! * 0.75)
    }
    expect(new Set(waits.map((wait, n) => wait / expected[n]!)).size).toBeGreaterThan(6)
  })
  it('keeps the turn for itself while it will soon be back', () => {
    const player = play(pair)
    player.perform('CodeStory a', refuse('rate-limit', 9 * minuteMs))
    expect([player.due(), player.wakeAt()]).toEqual([[], 9 * minuteMs])
  })
  it('gives way at once when it will be away for long, and says why', () => {
    const player = play(pair)
    player.perform('CodeStory a', refuse('rate-limit', 11 * minuteMs))
    expect(nextOf(player)).toMatchObject({ agent: 'other', because: 'instead of mine (rate-limit)', attempt: 1 })
  })
  it('gives way after too many refusals in a row, and comes back when it has rested', () => {
    const player = play({ ...pair, limits: { refusalsPerAgent: 2 } })
    player.perform('CodeStory a', refuse('overloaded', 1_000))
    player.at = 1_000
    player.perform('CodeStory a', refuse('overloaded', 2_000))
    expect(nextOf(player).agent).toBe('other')
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds())
    expect(nextOf(player).agent).toBe('other')
    player.at = 2_000
    expect(nextOf(player)).toMatchObject({ agent: 'mine', because: '' })
  })
  it('starts from none again once it has taken a turn', () => {
    const player = play({ ...pair, limits: { refusalsPerAgent: 2, roundsPerAttempt: 9 } })
    player.perform('CodeStory a', refuse('overloaded', 1_000))
    player.at = 1_000
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds())
    player.perform('CodeStory a', refuse('overloaded', 2_000))
    expect([player.due(), player.wakeAt()]).toEqual([[], 2_000])
  })
  it('does not take over in the middle what another has begun', () => {
    const player = play({ ...pair, limits: { refusalsPerAgent: 1 } })
    player.perform('CodeStory a', refuse('overloaded', 1_000))
    const step = player.start('CodeStory a')
    player.at = 1_000
    expect([agentOf(step), player.find('CodeStory a')]).toEqual(['other', step])
    player.end(step)
    expect(player.status('a')).toBe('judging')
  })
  it('waits with all others of its chain for the first that is back', () => {
    const player = play({ ...pair, limits: { refusalsPerAgent: 1 } })
    player.perform('CodeStory a', refuse('quota', 9_000))
    player.perform('CodeStory a', refuse('rate-limit', 3_000))
    expect([player.due(), player.wakeAt()]).toEqual([[], 3_000])
    player.at = 3_000
    expect(nextOf(player).agent).toBe('other')
  })
})

describe('an agent that is barred', () => {
  it.each(['quota', 'auth', 'bad-request', 'permission', 'spawn'] as Refusal[])('by %s gives way at once', (kind) => {
    const player = play({ ...pair, limits: { agents: 2 } }, two)
    player.perform('CodeStory a', refuse(kind))
    expect([agentOf(player.find('CodeStory a')), agentOf(player.find('CodeStory b'))]).toEqual(['other', 'other'])
  })
  it('by its model is barred for that model alone', () => {
    const models = { fast: 'small', powerful: 'large' }
    const stories = [story('a'), story('b', { complexity: 8 })]
    const player = play({ ...pair, agents: { mine: agent({ models }), other: agent() } }, stories)
    player.perform('CodeStory a', refuse('model'))
    expect(nextOf(player)).toMatchObject({ agent: 'other', because: 'instead of mine with small (model)' })
    expect(nextOf(player, 'CodeStory b')).toMatchObject({ agent: 'mine', model: 'large' })
  })
  it('by its model gives way to its other models when nobody else is there', () => {
    const models = { fast: 'small', balanced: 'middle', powerful: 'large' }
    const player = play({ agents: { mine: agent({ models }) }, unattended: true })
    player.perform('CodeStory a', refuse('model'))
    const because = 'instead of mine with small (model)'
    expect(nextOf(player)).toMatchObject({ model: 'large', because, attempt: 1 })
    player.perform('CodeStory a', refuse('rate-limit', 60 * minuteMs))
    expect(nextOf(player)).toMatchObject({ model: 'middle', because, attempt: 1 })
    player.perform('CodeStory a', refuse('model'))
    expect([player.due(), player.wakeAt()]).toEqual([[], 60 * minuteMs])
    player.at = 60 * minuteMs
    player.perform('CodeStory a', refuse('model'))
    expect(player.due()).toEqual(['CompleteDelivery'])
  })
  it('gives way to what the others have for the same tier', () => {
    const mine = agent({ models: { fast: 'small', powerful: 'large' } })
    const other = agent({ models: { balanced: 'middle', powerful: 'huge' } })
    const player = play({ ...pair, agents: { mine, other } })
    player.perform('CodeStory a', refuse('auth'))
    expect(nextOf(player)).toMatchObject({ agent: 'other', tier: 'balanced', model: 'middle' })
    const hard = play({ ...pair, agents: { mine, other } }, [story('a', { complexity: 8 })])
    hard.perform('CodeStory a', refuse('auth'))
    expect(nextOf(hard)).toMatchObject({ agent: 'other', tier: 'powerful', model: 'huge' })
  })
  it('does not disturb the ladder: the attempt that follows is the one that would have', () => {
    const player = play(pair)
    player.perform('CodeStory a', refuse('quota', 50))
    player.perform('CodeStory a', fails('empty'))
    player.at = 50
    expect(nextOf(player)).toMatchObject({ agent: 'other', because: '', attempt: 2 })
    expect(player.story('a').past).toMatchObject([{ agent: 'other' }])
  })
  it('waits for its quota when nobody else is there', () => {
    const player = play(alone)
    player.perform('CodeStory a', refuse('quota', 7_000))
    expect([player.due(), player.wakeAt()]).toEqual([[], 7_000])
  })
  it('is asked about no more when the machine is found wanting before the question was put', () => {
    const player = play({ ...pair, unattended: false, limits: { agents: 2 } }, two)
    const running = player.start('CodeStory b')
    player.perform('CodeStory a', refuse('auth'))
    player.perform('CodeStory a', refuse('spawn'))
    const late = player.start('AskQuestion')
    const about = { step: running.id, story: 'b', message: 'no disk', remedy: 'free it', environment: true as const }
    player.record({ type: 'StepFailed', ...about })
    player.record({ type: 'QuestionAsked', step: late.id, question: (late as AskQuestion).question })
    expect(player.state.questions).toEqual({})
    player.run()
    const asked = Object.values(player.state.questions).map(({ question }) => question)
    expect(asked).toMatchObject([{ id: 'trouble-1', text: 'no disk. free it' }])
  })
  it('is a question when nobody is left, one for all stories, and the answer lets it try again', () => {
    const player = play({ ...pair, unattended: false, limits: { agents: 2 } }, two)
    player.perform('CodeStory a', refuse('auth'))
    player.perform('CodeStory b', refuse('spawn'))
    expect(player.due()).toEqual(['AskQuestion'])
    player.run()
    const asked = Object.values(player.state.questions).map(({ question }) => question)
    expect(asked).toMatchObject([{ kind: 'trouble', text: 'mine is not signed in: no (auth). mend it' }])
    player.answer('retry')
    expect(player.due()).toEqual(['CodeStory a', 'CodeStory b'])
    expect(nextOf(player).agent).toBe('mine')
    expect(player.run().result()).toBe('done')
  })
  it('blocks the delivery when nobody is there to ask, fails no story, and going on tries again', () => {
    const player = play(alone, two)
    player.perform('CodeStory a', refuse('auth'))
    player.run()
    expect(player.state.mode).toMatchObject({
      result: 'blocked',
      reason: 'mine is not signed in: no (auth) (mend it)',
    })
    expect([player.status('a'), player.status('b')]).toEqual(['coding', 'waiting'])
    player.tell({ type: 'ResumeDelivery', by })
    expect(player.run().result()).toBe('done')
  })
  it('lets what is under way elsewhere come to its end first', () => {
    const player = play({ ...alone, limits: { agents: 2 } }, two)
    const [a, b] = [player.start('CodeStory a'), player.start('CodeStory b')]
    player.end(a, refuse('auth'))
    expect(player.due()).toEqual(['CodeStory b'])
    player.end(b, codes())
    player.run()
    expect([player.status('b'), player.result()]).toEqual(['joined', 'blocked'])
  })
  it('is no question for a story that is still at work', () => {
    const player = play({ ...alone, unattended: false, limits: { agents: 2 } }, two)
    const [, b] = [player.start('CodeStory a'), player.start('CodeStory b')]
    player.end(b, refuse('auth'))
    expect(player.due()).toEqual(['AskQuestion', 'CodeStory a'])
    player.tell({ type: 'SkipStory', story: 'b', reason: '', by })
    expect(player.due()).toEqual(['CodeStory a'])
  })
  it('is back when a human resumes, retries, or pins other settings', () => {
    const ways: ((player: Player) => void)[] = [
      (player) => {
        player.tell({ type: 'PauseDelivery', now: false, by })
        player.tell({ type: 'ResumeDelivery', by })
      },
      (player) => player.tell({ type: 'RetryStory', story: 'a', advice: '', by }),
      (player) => player.tell({ type: 'RepinPolicy', policy: policy(pair), policyHash: 'p2', by }),
    ]
    for (const way of ways) {
      const player = play(pair)
      player.perform('CodeStory a', refuse('auth'))
      way(player)
      expect(nextOf(player).agent).toBe('mine')
    }
  })
  it('stays barred when another turn of it is refused for less', () => {
    const player = play({ ...alone, limits: { agents: 2 } }, two)
    const [a, b] = [player.start('CodeStory a'), player.start('CodeStory b')]
    player.end(a, refuse('model'))
    player.end(b, refuse('rate-limit', 10))
    player.at = 10
    expect(player.due()).toEqual(['CompleteDelivery'])
  })
})

describe('a session that is gone', () => {
  it('is opened afresh at once by the same agent', () => {
    const player = play(pair)
    const step = player.start('CodeStory a')
    player.record({ type: 'SessionOpened', step: step.id, story: 'a', agent: 'mine', session: 's1' })
    player.end(step, refuse('session'))
    expect(player.story('a').thisAttempt.session).toBeNull()
    expect(player.find('CodeStory a').id).toBe(step.id)
    expect(player.state.parked[step.id]).toMatchObject({ try: 1 })
    expect(player.state.absences).toEqual({})
  })
})

describe('planners', () => {
  const planned = (given: Parameters<typeof policy>[0] = {}) =>
    new Player(policy({ ...pair, roles: { coder: ['mine'], planner: ['mine', 'other'] }, ...given }), null)

  it('are a chain too', () => {
    const player = planned()
    player.perform('DraftPlan', refuse('quota', 5_000))
    expect(player.find('DraftPlan')).toMatchObject({ agent: 'other', because: 'instead of mine (quota)' })
    player.at = 5_000
    expect(player.find('DraftPlan')).toMatchObject({ agent: 'mine', because: '' })
  })
  it('use the best model that they have, then their others', () => {
    const mine = agent({ models: { fast: 'small', powerful: 'large' } })
    const player = planned({ agents: { mine, other: agent() }, roles: { coder: ['mine'], planner: ['mine'] } })
    expect(player.find('DraftPlan')).toMatchObject({ agent: 'mine', model: 'large' })
    player.perform('DraftPlan', refuse('model'))
    expect(player.find('DraftPlan')).toMatchObject({ model: 'small', because: 'instead of mine with large (model)' })
  })
  it('end the draft that they have begun', () => {
    const player = planned()
    player.perform('DraftPlan', refuse('quota', 5_000))
    const step = player.start('DraftPlan')
    player.at = 5_000
    expect(player.find('DraftPlan')).toEqual(step)
  })
  it('that are all barred are a question', () => {
    const player = planned({ unattended: false })
    player.perform('DraftPlan', refuse('auth'))
    player.perform('DraftPlan', refuse('auth'))
    player.run()
    player.answer('retry')
    expect(agentOf(player.find('DraftPlan'))).toBe('mine')
  })
})

describe('who is away', () => {
  it('is told with its time, and only while it is', () => {
    const player = play(pair)
    player.perform('CodeStory a', refuse('quota', 5_000))
    player.perform('CodeStory a', refuse('auth'))
    const [barred, resting] = absencesView(player.state, 0)
    expect(absenceText(resting!, (at) => `at ${at}`)).toBe('mine is paused until at 5000 (quota)')
    expect(absenceText(barred!, String)).toBe('other is not signed in: no (auth)')
    expect(absencesView(player.state, 5_000)).toMatchObject([{ agent: 'other' }])
  })
})
