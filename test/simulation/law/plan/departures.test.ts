import { describe, expect, it } from 'vitest'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import { openQuestions } from '../../../../src/delivery/questions/due.ts'
import type { Deviation, Handoff } from '../../../../src/delivery/story/handoff.ts'
import { noHandoff } from '../../../../src/delivery/story/handoff.ts'
import type { Ending } from '../../endings.ts'
import { breaks, codes, drafts, finds, parks, refuse, refuses } from '../../endings.ts'
import { Player } from '../../player.ts'
import { agent, policy, story } from '../../sample.ts'

const by = 'somebody'
type Given = Parameters<typeof policy>[0]
const staff = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine'], planner: ['other'] } }
const cached: Deviation = { from: 'no cache', why: 'it is too slow', material: true }

const departs =
  (deviations: Deviation[] = [cached], more: Partial<Handoff> = {}): Ending =>
  (step) =>
    ({ ...codes()(step), handoff: { ...noHandoff, quality: 'full', deviations, ...more } }) as ReturnType<Ending>
const respecifies =
  (changes: Partial<Story>): Ending =>
  (step) => ({ type: 'StoryRespecified', step: step.id, story: step.story!, changes, cause: 'there is a cache now' })
const upholds: Ending = (step) => ({ type: 'StoryUpheld', step: step.id, story: step.story!, why: 'no reads' })
const faults: Ending = (step) => ({ type: 'RespecifyFaulted', step: step.id, story: step.story!, problems: ['prose'] })

const chain = [story('a'), story('b', { dependsOn: ['a'] }), story('c', { dependsOn: ['b'] })]

function drafted(stories: Story[] = chain, given: Given = {}): Player {
  const player = new Player(policy({ ...staff, ...given }), null)
  player.perform('DraftPlan', drafts({ outline: null, stories }))
  return player
}

/** The story departs from the plan and joins the line. */
function joins(player: Player, id: string, coding: Ending = departs()): void {
  player.perform(`CodeStory ${id}`, coding)
  while (player.status(id) !== 'joined') {
    const next = player.due().find((name) => new RegExp(`^(Judge|ComposeLine|AdvanceLine) ${id}\\b`).test(name))
    player.perform(next!)
  }
}

describe('a story that departs from the plan', () => {
  it('has those that build on it looked at again by the planner before they are coded, on top of it', () => {
    const player = drafted()
    joins(player, 'a')
    expect(player.due()).toEqual(['RespecifyStory b'])
    expect(player.find('RespecifyStory b')).toMatchObject({
      ...{ as: 'amended', agent: 'other', departed: ['a'], base: player.state.line.tip },
      reason: 'a departed from the plan (no cache: it is too slow)',
    })
    player.perform('RespecifyStory b', respecifies({ description: 'through the cache' }))
    const { spec, former, revision, attempt, tally } = player.story('b')
    expect(spec.description).toBe('through the cache')
    expect(former).toMatchObject([{ as: 'amended', cause: 'there is a cache now', spec: { description: '' } }])
    expect({ revision, attempt, amendments: tally.amendments }).toEqual({ revision: 2, attempt: 1, amendments: 0 })
    expect(player.state.concerns).toContain('b was specified anew: there is a cache now')
    player.perform('CodeStory b')
    expect(player.run({ RespecifyStory: upholds }).times('RespecifyStory c')).toBe(1)
    expect(player.result()).toBe('done-with-concerns')
    expect(player.times('RespecifyStory b')).toBe(1)
  })
  it('has those looked at that declare its files, or those that it says it changed, and no others', () => {
    const stories = [story('a', { files: ['x'] }), story('b', { files: ['x/'] }), story('d', { files: ['y'] })]
    const player = drafted([
      ...stories,
      story('e', { dependsOn: ['d'] }),
      story('f', { files: ['z'], dependsOn: ['d'] }),
    ])
    joins(player, 'a', departs([cached], { files: ['./z/deep/one.ts'] }))
    joins(player, 'd', codes())
    expect(player.due()).toEqual(['RespecifyStory b', 'CodeStory e', 'RespecifyStory f'])
  })
  it('is nothing to others when it does not matter, or what it did was given up', () => {
    const minor = drafted()
    joins(minor, 'a', departs([{ ...cached, material: false }]))
    expect(minor.due()).toEqual(['CodeStory b'])
    const again = drafted(chain, { limits: { roundsPerAttempt: 1 } })
    again.perform('CodeStory a', departs())
    again.perform('Judge a check:test', finds())
    joins(again, 'a', codes())
    expect(again.due()).toEqual(['CodeStory b'])
  })
  it('is known although a later round of the same work does not say it again', () => {
    const player = drafted()
    player.perform('CodeStory a', departs())
    player.perform('Judge a check:test', finds())
    joins(player, 'a', departs([], { decisions: [{ what: 'mended', why: 'red' }] }))
    expect(player.due()).toEqual(['RespecifyStory b'])
  })
  it('is held against each of the others once, though the line is laid again, and all departures at once', () => {
    const stories = [story('a'), story('b'), story('c', { dependsOn: ['a', 'b'] })]
    const player = drafted(stories, { land: 'each' })
    joins(player, 'a')
    joins(player, 'b')
    expect(player.find('RespecifyStory c')).toMatchObject({ departed: ['a', 'b'] })
    player.perform('RespecifyStory c', upholds)
    player.perform('Land', refuses('moved'))
    player.run()
    expect(player.times('RespecifyStory c')).toBe(1)
    expect(player.status('c')).toBe('merged')
  })
})

describe('a story that is looked at again', () => {
  it('is coded as it is when the planner upholds it', () => {
    const player = drafted()
    joins(player, 'a')
    player.perform('RespecifyStory b', upholds)
    expect(player.story('b')).toMatchObject({ revision: 1, attempt: 1, former: [], control: { status: 'waiting' } })
    expect(player.due()).toEqual(['CodeStory b'])
  })
  it.each<[string, Ending, RegExp]>([
    ['gives no usable answer', faults, /no better specification was found: prose/],
    ['changes nothing and does not say that it holds', respecifies({}), /nothing is different from what it was/],
    ['wants what it may not', respecifies({ mayChange: ['package.json'] }), /may not change package.json/],
    ['cannot work', breaks, /no \(mend it\)/],
    ['is refused for good', refuse('auth'), /no planner takes the turn/],
  ])('stays as it was, with a concern, when the planner %s', (_, ending, why) => {
    const player = drafted()
    joins(player, 'a')
    player.run({ RespecifyStory: ending })
    expect(player.status('b')).toBe('merged')
    expect(player.story('b').spec).toEqual(chain[1])
    expect(player.state.concerns).toContainEqual(
      expect.stringMatching(new RegExp(`^b stays as it was planned, though a departed: .*${why.source}`)),
    )
  })
  it('stays as it was when the planner has to be waited for too often, or is not there any more', () => {
    const waited = drafted(chain, { limits: { parksPerStory: 1 } })
    joins(waited, 'a')
    waited.perform('RespecifyStory b', parks(0))
    waited.perform('RespecifyStory b', parks(0))
    expect(waited.due()).toEqual(['CodeStory b'])
    const left = drafted()
    joins(left, 'a')
    const alone = policy({ ...staff, roles: { coder: ['mine'] } })
    left.tell({ type: 'RepinPolicy', policy: alone, policyHash: 'p2', by })
    expect(left.due()).toEqual(['CodeStory b'])
  })
  it('cannot be upheld when it was its own coder who could not do it', () => {
    const player = drafted([story('a')])
    player.perform('CodeStory a', (step) => ({
      ...{ type: 'CodingFailed', step: step.id, story: 'a', kind: 'bad-spec', message: '80 and 8080' },
      ...{ evidence: '', session: null },
    }))
    player.perform('RespecifyStory a', upholds)
    expect(player.find('RespecifyStory a')).toMatchObject({ problems: ['it failed as it is: it cannot stay so'] })
    expect(player.find('RespecifyStory a')).not.toHaveProperty('departed')
  })
  it('waits for a yes where a human has a say in the plan, who may also leave it as it was', () => {
    const gated = (): Player => {
      const player = drafted(chain, { gates: 'plan', unattended: false })
      player.perform('AskQuestion')
      player.answer('approve')
      joins(player, 'a')
      player.perform('RespecifyStory b', respecifies({ title: 'other' }))
      player.perform('AskQuestion b')
      return player
    }
    const player = gated()
    const [question] = openQuestions(player.state)
    expect(question).toMatchObject({ kind: 'spec-gate', evidence: '- title: "b" → "other"' })
    expect(question?.options.map(({ id }) => id)).toEqual(['approve', 'reject', 'skip', 'keep'])
    player.answer('reject', 'keep the title')
    expect(player.find('RespecifyStory b')).toMatchObject({ problems: ['keep the title'], departed: ['a'] })
    player.perform('RespecifyStory b', upholds)
    expect(player.due()).toEqual(['CodeStory b'])
    const kept = gated()
    kept.answer('keep')
    expect(kept.due()).toEqual(['CodeStory b'])
    expect(kept.story('b').spec.title).toBe('b')
    const yes = gated()
    yes.answer('approve')
    expect(yes.story('b').spec.title).toBe('other')
    expect(yes.due()).toEqual(['CodeStory b'])
  })
  it('is not looked at where a human planned it, nobody plans, or it was done too often: that is told', () => {
    const told = (player: Player): string[] =>
      player.state.concerns.filter((one) => one.startsWith('nobody looked again'))
    const given = new Player(policy(staff), chain)
    joins(given, 'a')
    expect(given.due()).toEqual(['CodeStory b'])
    expect(told(given)).toEqual(['nobody looked again at b, though a departed from the plan: a human planned it'])
    const often = drafted(chain, { limits: { replans: 1 } })
    joins(often, 'a')
    often.perform('RespecifyStory b', upholds)
    joins(often, 'b')
    expect(often.due()).toEqual(['CodeStory c'])
    expect(told(often)).toEqual([
      'nobody looked again at c, though a, b departed from the plan: so many were already: 1 (limits.replans)',
    ])
    const never = drafted(chain, { limits: { replans: 0 } })
    joins(never, 'a')
    expect(never.due()).toEqual(['CodeStory b'])
    expect(told(never)).toEqual([])
  })
  it('is not looked at when a human has said since what it is to be', () => {
    const player = drafted()
    joins(player, 'a')
    player.tell({ type: 'AmendStory', story: 'b', changes: { title: 'mine' }, by })
    expect(player.due()).toEqual(['CodeStory b'])
  })
})
