import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/delivery/policy.ts'
import { asks, breaks, codes, conflicts, fails, finds, isSilent, judges, parks } from '../endings.ts'
import { Player } from '../player.ts'
import { agent, finding, noVerdict, policy, story } from '../sample.ts'

const by = 'somebody'
const both = ['inspection', 'check:test']
const chain = [story('a'), story('b', { dependsOn: ['a'] }), story('c', { dependsOn: ['b'] })]
const alone = (given: Parameters<typeof policy>[0] = {}) => new Player(policy(given), [story('a')])
const coder = (player: Player) => player.find('CodeStory a')

describe('findings', () => {
  it('go back to the same attempt, and to the coder', () => {
    const player = alone()
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds(1, 'is red'))
    expect(coder(player)).toMatchObject({ attempt: 1, round: 2, findings: [{ message: 'is red' }] })
  })
  it('that are more than before end the attempt', () => {
    const player = alone()
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds(1))
    player.perform('CodeStory a')
    player.perform('Judge a check:test', finds(2))
    expect(coder(player)).toMatchObject({ attempt: 2, round: 1 })
    expect(player.story('a').past[0]!.ended).toBe('failures of check:test rose from 1 to 2')
  })
  it('of another judge are no rise', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds(1))
    player.perform('CodeStory a')
    player.perform('Judge a inspection')
    player.perform('Judge a check:test', finds(5))
    expect(coder(player)).toMatchObject({ attempt: 1, round: 3 })
  })
  it('that only warn do not hold an inspection back, and are no concern', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    const findings = [{ ...finding('inspection', 'elsewhere'), severity: 'suggestion' as const }]
    player.perform(
      'Judge a inspection',
      judges({ status: 'findings', findings, failures: 1, proof: null, concerns: [] }),
    )
    expect(player.run().result()).toBe('done')
    expect(player.state.concerns).toEqual([])
  })
  it('of a check are red however mild, even when there are none to show', () => {
    for (const findings of [[], [{ ...finding('check:test'), severity: 'note' as const }]]) {
      const player = alone()
      player.perform('CodeStory a', codes('t1'))
      player.perform(
        'Judge a check:test',
        judges({ status: 'findings', findings, failures: 1, proof: null, concerns: [] }),
      )
      expect(player.due()).toEqual(['CodeStory a'])
      expect(player.state.proven).toEqual({})
    }
  })
  it('are nothing when the judge did not return: it is asked again, each judge as often as the limit says', () => {
    const player = alone({ judges: both, limits: { judgeRetries: 1 } })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', isSilent)
    player.perform('Judge a inspection')
    player.perform('Judge a check:test', judges(noVerdict))
    player.perform('Judge a check:test', judges(noVerdict))
    expect(player.status('a')).toBe('failed')
  })
})

describe('the ladder', () => {
  const models = { fast: 'small', balanced: 'middle', powerful: 'large' }
  const agents: Policy['agents'] = { mine: agent({ models }), other: agent({ models: { balanced: 'else' } }) }
  const climb = (complexity: 1 | 5 | 13) => {
    const roles = { coder: ['mine', 'other'], planner: [] }
    const player = new Player(policy({ agents, roles }), [story('a', { complexity })])
    // Each attempt ends for another reason, so that nobody is taken to fail as somebody else did.
    for (let n = 0; player.due().includes('CodeStory a'); n++) player.perform('CodeStory a', fails('gave-up', `${n}`))
    return player.performed.map((step) => (step.verb === 'CodeStory' ? `${step.agent} ${step.tier} ${step.model}` : ''))
  }

  it('starts at the tier of the complexity, climbs the tiers, then the agents', () => {
    expect(climb(1)).toEqual([
      'mine fast small',
      'mine balanced middle',
      'mine powerful large',
      'other balanced else',
      'other balanced else',
    ])
    expect(climb(5).slice(0, 3)).toEqual(['mine balanced middle', 'mine powerful large', 'other balanced else'])
    expect(climb(13).slice(0, 2)).toEqual(['mine powerful large', 'other powerful null'])
  })
  it('passes over an agent that crashes, without spending an attempt', () => {
    const player = new Player(policy({ agents, roles: { coder: ['mine', 'other'], planner: [] } }), [story('a')])
    for (let n = 0; n < 3; n++) player.perform('CodeStory a', fails('crash'))
    expect(coder(player)).toMatchObject({ agent: 'other', attempt: 1 })
  })
  it('ends when two agents fail in the same way', () => {
    const plain = { mine: agent(), other: agent() }
    const player = new Player(policy({ agents: plain, roles: { coder: ['mine', 'other'], planner: [] } }), [story('a')])
    player.perform('CodeStory a', fails('empty'))
    expect(coder(player)).toMatchObject({ agent: 'other', attempt: 2 })
    player.perform('CodeStory a', fails('empty'))
    expect(player.story('a').control).toMatchObject({ status: 'failed', reason: expect.stringMatching(/two agents/) })
  })
  it('does not end when the same agent fails in the same way', () => {
    const player = alone()
    player.perform('CodeStory a', fails('empty'))
    player.perform('CodeStory a', fails('empty'))
    expect(coder(player)).toMatchObject({ attempt: 3 })
  })
  it('a new attempt starts from the tip of the line, with what was learned', () => {
    const player = new Player(policy({ land: 'each' }), [story('a'), story('b')])
    player.perform('CodeStory a')
    player.perform('CodeStory b')
    for (const name of ['Judge b check:test', 'ComposeLine b', 'Judge b line check:test', 'AdvanceLine b'])
      player.perform(name)
    for (let round = 0; round < 3; round++) {
      if (round > 0) player.perform('CodeStory a')
      player.perform('Judge a check:test', finds())
    }
    expect(coder(player)).toMatchObject({
      attempt: 2,
      round: 1,
      base: player.state.line.tip,
      findings: [{ message: 'red' }],
    })
  })
})

describe('a coder that asks', () => {
  it('gets an answer, at no cost', () => {
    const player = alone({ unattended: false })
    player.perform('CodeStory a', asks('Which?', ['left', 'right']))
    player.perform('AskQuestion a')
    expect(player.due()).toEqual([])
    player.answer('2', 'because')
    expect(coder(player)).toMatchObject({
      attempt: 1,
      findings: [{ message: 'You asked: Which?\nThe answer: right: because' }],
    })
    expect(player.story('a').tally).toMatchObject({ rounds: 1, attempts: 1 })
  })
  it('is told to use its judgement when nobody is there, which costs a round', () => {
    const player = alone()
    player.perform('CodeStory a', asks('Which?'))
    expect(coder(player)).toMatchObject({ round: 2, findings: [{ message: expect.stringMatching(/Nobody is there/) }] })
    expect(player.run({ CodeStory: asks('Which?') }).result()).toBe('blocked')
  })
})

describe('a story that is lost', () => {
  const give = (player: Player, id: string) => {
    for (const kind of ['empty', 'idle', 'timeout', 'gave-up', 'refused'] as const)
      player.perform(`CodeStory ${id}`, fails(kind))
  }

  it('takes with it what depends on it, and the rest goes on', () => {
    const player = new Player(policy(), [...chain, story('d')])
    give(player, 'a')
    expect(['a', 'b', 'c', 'd'].map((id) => player.status(id))).toEqual(['failed', 'skipped', 'skipped', 'waiting'])
    expect(player.run().state.mode).toMatchObject({ result: 'blocked', reason: 'failed: a' })
    expect(player.status('d')).toBe('merged')
  })
  it('brings them back when it is retried, with advice', () => {
    const player = new Player(policy(), chain)
    give(player, 'a')
    player.run()
    player.tell({ type: 'RetryStory', story: 'a', advice: 'think', by })
    expect(player.due()).toEqual(['CodeStory a'])
    expect(coder(player)).toMatchObject({
      attempt: 6,
      findings: expect.arrayContaining([expect.objectContaining({ message: 'think' })]),
    })
    expect(player.run().result()).toBe('done')
  })
  it('skipped by a human: with concerns, and brought back by a retry', () => {
    const player = new Player(policy(), [...chain, story('d')])
    player.tell({ type: 'SkipStory', story: 'b', reason: 'later', by })
    expect(player.run().state.mode).toMatchObject({ result: 'done-with-concerns', reason: 'skipped: b, c' })
    player.tell({ type: 'RetryStory', story: 'b', advice: '', by })
    expect(player.run().result()).toBe('done')
  })
  it('does not bring back what another lost story holds', () => {
    const player = new Player(policy(), [story('a'), story('b'), story('c', { dependsOn: ['a', 'b'] })])
    give(player, 'a')
    give(player, 'b')
    player.tell({ type: 'RetryStory', story: 'a', advice: '', by })
    expect(player.story('c').control).toMatchObject({ status: 'skipped', because: 'b' })
    expect(player.run().result()).toBe('blocked')
  })
  it('when every story was skipped, it is no success', () => {
    const player = alone()
    player.tell({ type: 'SkipStory', story: 'a', reason: 'later', by })
    expect(player.run().result()).toBe('blocked')
  })
})

describe('a waiver', () => {
  const waive = (player: Player) =>
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint: 'inspection/red', because: 'fine', by })

  it('lets the judged commit go on from where it was stopped', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a', codes('t1'))
    player.perform('Judge a inspection', finds())
    waive(player)
    expect(player.due()).toEqual(['Judge a check:test'])
    expect(player.find('Judge a check:test')).toMatchObject({ tree: 't1' })
    expect(player.run().result()).toBe('done')
  })
  it('also when the coder has crashed over it since', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    player.perform('CodeStory a', fails('crash'))
    waive(player)
    expect(player.due()).toEqual(['Judge a check:test'])
  })
  it('overtakes the coder that is at it', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    const late = player.start('CodeStory a')
    waive(player)
    player.end(late, codes('t-late'))
    expect(player.find('Judge a check:test')).not.toMatchObject({ tree: 't-late' })
  })
  it('after the end reopens, and brings back what depends on it', () => {
    const player = new Player(policy({ judges: both }), chain)
    player.run({ Judge: (step) => finds()(step) })
    expect(player.result()).toBe('blocked')
    waive(player)
    expect(player.status('b')).toBe('waiting')
    expect(player.run().result()).toBe('done')
  })
  it('holds for later rounds of the story', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    waive(player)
    player.perform('Judge a check:test', finds())
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    expect(player.due()).toEqual(['Judge a check:test'])
  })
  it('of one of two findings is not enough', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    const findings = [finding('inspection'), finding('inspection', 'also')]
    player.perform(
      'Judge a inspection',
      judges({ status: 'findings', findings, failures: 2, proof: null, concerns: [] }),
    )
    waive(player)
    expect(player.due()).toEqual(['CodeStory a'])
  })
})

describe('an amendment', () => {
  it('begins the story anew, and what was under way leaves nothing behind', () => {
    const player = alone()
    const late = player.start('CodeStory a')
    player.tell({ type: 'AmendStory', story: 'a', changes: { title: 'other' }, by })
    expect(coder(player)).toMatchObject({ revision: 2, attempt: 2 })
    player.end(late, codes('t-late'))
    expect(coder(player)).toMatchObject({ revision: 2, turn: 0 })
    expect(player.run().result()).toBe('done')
  })
  it('does not count a late failure or wait of what it overtook', () => {
    for (const ending of [breaks, parks(99), fails('crash')]) {
      const player = alone()
      const late = player.start('CodeStory a')
      player.tell({ type: 'AmendStory', story: 'a', changes: { title: 'other' }, by })
      player.end(late, ending)
      expect(player.due()).toEqual(['CodeStory a'])
      expect(player.story('a').tally).toMatchObject({ parks: 0, crashes: {} })
    }
  })
  it('forgets the verdicts on what the story was', () => {
    const player = alone({ judges: both })
    player.perform('CodeStory a')
    player.perform('Judge a inspection', finds())
    player.tell({ type: 'AmendStory', story: 'a', changes: { title: 'other' }, by })
    player.tell({ type: 'WaiveFinding', story: 'a', fingerprint: 'inspection/red', because: 'fine', by })
    expect(player.due()).toEqual(['CodeStory a'])
  })
})

describe('a step that has to wait', () => {
  it('is due again when the time has come, and not before', () => {
    const player = alone()
    player.perform('CodeStory a', parks(50))
    expect(player.due()).toEqual([])
    expect(player.wakeAt()).toBe(50)
    player.at = 50
    expect(player.due()).toEqual(['CodeStory a'])
    expect(player.story('a').tally).toMatchObject({ attempts: 1, rounds: 1, parks: 1 })
  })
  it('takes no place meanwhile', () => {
    const player = new Player(policy({ limits: { agents: 1 } }), [story('a'), story('b')])
    player.perform('CodeStory a', parks(50))
    expect(player.due()).toEqual(['CodeStory b'])
  })
  it('that the world refuses calls a human, or fails when nobody is there', () => {
    const attended = alone({ unattended: false })
    attended.perform('CodeStory a', breaks)
    expect(attended.due()).toEqual(['AskQuestion a'])
    const unattended = alone()
    unattended.perform('CodeStory a', breaks)
    expect(unattended.status('a')).toBe('failed')
  })
})

describe('a conflict', () => {
  it('goes back to the coder on the new base, at no round', () => {
    const player = new Player(policy(), [story('a')])
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    const { id } = player.perform('ComposeLine a', conflicts)
    expect(coder(player)).toMatchObject({ base: 'c0', from: `c-${id}`, attempt: 1, findings: [{ rule: 'wrong' }] })
    expect(player.story('a').tally).toMatchObject({ rounds: 1, merges: 1 })
  })
})
