import { describe, expect, it } from 'vitest'
import { transitionBlock } from '../../../../src/delivery/inputs/briefing.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import type { Handoff } from '../../../../src/delivery/story/handoff.ts'
import { noHandoff } from '../../../../src/delivery/story/handoff.ts'
import type { Ending } from '../../endings.ts'
import { codes, fails, finds } from '../../endings.ts'
import { Player } from '../../player.ts'
import { agent, policy, story } from '../../sample.ts'

const limits = { attemptsPerStory: 1, roundsPerAttempt: 1 }
type Given = Parameters<typeof policy>[0]
const large = story('a', { complexity: 5, criteria: ['one', 'two'], files: ['x'] })
const pieces = [story('a-1', { criteria: ['one'] }), story('a-2', { criteria: ['two'] })]
const splits: Ending = (step) => ({
  ...{ type: 'StorySplit', step: step.id, story: step.story!, into: pieces },
  cause: 'two things at once',
})

describe('a human who is asked what to do with a story', () => {
  const pair = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine', 'other'], planner: ['other'] } }
  const asked = (given: Given = pair): Player => {
    const player = new Player(policy({ unattended: false, limits, ...given }), [large])
    player.perform('CodeStory a', codes())
    player.perform('Judge a check:test', finds(1, 'red here'))
    player.perform('AskQuestion a')
    return player
  }
  const options = (player: Player) => openQuestions(player.state)[0]?.options.map(({ id }) => id)

  it('has all that there is to choose from, with what was tried', () => {
    const player = asked()
    expect(options(player)).toEqual(['retry', 'other-agent', 'take-over', 'amend', 'split', 'skip', 'fail', 'stop'])
    expect(openQuestions(player.state)[0]?.evidence).toMatch(/attempt 1.1 \(mine\)[\s\S]*check:test: red here/)
    expect(options(asked({}))).toEqual(['retry', 'take-over', 'skip', 'fail', 'stop'])
  })
  it('can choose only what can still be done when they answer', () => {
    const player = asked()
    const { roles, ...rest } = policy({ unattended: false, limits, ...pair })
    const alone = { ...rest, roles: { ...roles, planner: [] } }
    player.tell({ type: 'RepinPolicy', policy: alone, policyHash: 'p2', by: 'me' })
    expect(player.answer('split')).toMatchObject({ remedy: 'one of: retry, other-agent, take-over, skip, fail, stop' })
    expect(player.answer('retry')).toHaveProperty('events')
  })
  it('may give it up', () => {
    const player = asked()
    player.answer('fail')
    expect(player.run().state.mode).toMatchObject({ result: 'blocked', reason: 'failed: a' })
  })
  it('may want another agent', () => {
    const player = asked()
    player.answer('other-agent', 'mind the tests')
    expect(player.find('CodeStory a')).toMatchObject({ agent: 'other' })
    player.perform('CodeStory a', codes())
    player.perform('Judge a check:test', finds())
    player.perform('AskQuestion a')
    expect(options(player)).not.toContain('other-agent')
    player.answer('retry')
    expect(player.find('CodeStory a')).toMatchObject({ agent: 'mine' })
  })
  it('may have it split or amended, and has the last word on how', () => {
    const player = asked()
    player.answer('split')
    player.perform('RespecifyStory a', splits)
    expect(player.status('a')).toBe('respecified')
    player.perform('AskQuestion a')
    player.answer('approve')
    expect(player.run().result()).toBe('done-with-concerns')
    const other = asked()
    other.answer('amend')
    expect(other.find('RespecifyStory a')).toMatchObject({ as: 'amended' })
  })
  it('may take it over: a workspace is made ready from the last work, and what they leave is judged', () => {
    const player = asked()
    const { last } = player.story('a')
    player.answer('take-over')
    expect(player.find('LendWorkspace a')).toMatchObject({ attempt: 2, ...last })
    player.perform('LendWorkspace a')
    player.perform('AskQuestion a')
    expect(openQuestions(player.state)).toMatchObject([{ kind: 'take-over', text: expect.stringContaining('/w') }])
    expect(player.due()).toEqual([])
    player.answer('done')
    player.perform('HarvestStory a')
    expect(player.run().status('a')).toBe('merged')
  })
  it('is asked again when their work does not pass, and goes on from it', () => {
    const player = asked()
    player.answer('take-over')
    player.perform('LendWorkspace a')
    player.perform('AskQuestion a')
    player.answer('done')
    const harvest = player.perform('HarvestStory a')
    player.perform('Judge a check:test', finds(1, 'still red'))
    expect(player.story('a').control).toMatchObject({
      reason: 'what the human left did not pass check:test: still red',
    })
    player.perform('AskQuestion a')
    player.answer('take-over')
    expect(player.find('LendWorkspace a')).toMatchObject({ from: `c-${harvest.id}` })
  })
  it('may give it back', () => {
    const player = asked()
    player.answer('take-over')
    player.perform('LendWorkspace a')
    player.perform('AskQuestion a')
    player.answer('retry', 'I have no time')
    expect(player.find('CodeStory a')).toMatchObject({
      attempt: 3,
      findings: expect.arrayContaining([expect.objectContaining({ message: 'I have no time' })]),
    })
  })
})

describe('what a coder hands off', () => {
  const full: Handoff = {
    ...{ ...noHandoff, quality: 'full', decisions: [{ what: 'a map', why: 'it is short' }], limitations: ['slow'] },
    deviations: [
      { from: 'a.ts', why: 'it is in b.ts', material: false },
      { from: 'no cache', why: 'it must be cached', material: true },
    ],
    corrections: [{ assumption: 'months from 1', fact: 'from 0', evidence: 'at - 1' }],
  }
  const hands =
    (handoff: Handoff): Ending =>
    (step) =>
      ({ ...codes()(step), handoff }) as ReturnType<Ending>

  it('stays, with later notes, until a later one says it anew; corrections reach everybody, and what departs from the plan is told', () => {
    const player = new Player(policy({ limits: { roundsPerAttempt: 4 } }), [story('a'), story('b')])
    player.perform('CodeStory a', hands(full))
    player.perform('Judge a check:test', finds())
    player.perform('CodeStory a', hands(noHandoff))
    expect(player.story('a').handoff).toEqual(full)
    player.perform('CodeStory b', hands(full))
    expect(player.state.corrections).toEqual([{ story: 'a', ...full.corrections[0] }])
    expect(player.state.concerns).toContain('a departs from the plan (no cache): it must be cached')
    player.perform('Judge a check:test', finds())
    player.perform('CodeStory a', hands({ ...noHandoff, quality: 'partial', notes: 'so' }))
    expect(player.story('a').handoff).toEqual({ ...full, notes: 'so' })
    player.perform('Judge a check:test', finds(1, 'red in another way'))
    const half: Handoff = { ...noHandoff, quality: 'partial', limitations: ['slow', 'large'], files: ['a.ts'] }
    player.perform('CodeStory a', hands(half))
    expect(player.story('a').handoff).toEqual({
      ...full,
      limitations: ['slow', 'large'],
      files: ['a.ts'],
      notes: 'so',
    })
    player.perform('Judge a check:test', finds(2))
    player.perform('CodeStory a', hands({ ...noHandoff, quality: 'partial', notes: 'begun anew' }))
    expect(player.story('a')).toMatchObject({ attempt: 2, handoff: { decisions: [], notes: 'begun anew' } })
  })
  it('is told where the story stands, in few lines', () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ what: `decision ${i}`, why: 'x'.repeat(500) }))
    const player = new Player(policy({ limits: { roundsPerAttempt: 3 } }), [
      story('a'),
      story('b', { dependsOn: ['a'] }),
    ])
    player.perform('CodeStory a', fails('empty'))
    player.perform('CodeStory a', hands({ ...full, decisions: many, limitations: ['slow', 'large', 'odd'] }))
    player.perform('Judge a check:test', finds(1, 'it is red\nhere'))
    const block = transitionBlock(player.state, player.story('a'))
    expect(block[0]).toMatch(/^Done: attempt 1.1 \(mine\): empty/)
    expect(block).toContain('Open findings: it is red here')
    expect(block.at(-1)).toMatch(/^Next: mending what was found, attempt 2, round 2/)
    expect(block.length).toBeLessThanOrEqual(15)
    expect(Math.max(...block.map((line) => line.length))).toBeLessThanOrEqual(200)
  })
})
