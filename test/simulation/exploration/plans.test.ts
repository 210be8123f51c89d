import { describe, expect, it } from 'vitest'
import type { DeliveryEvent } from '../../../src/delivery/events.ts'
import type { Story } from '../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { departs, drafts } from '../endings.ts'
import { Player } from '../player.ts'
import { agent, limitsOfTwo, policy, requested, story } from '../sample.ts'
import type { Setting } from './explore.ts'
import { explore } from './explore.ts'

const full = Number(process.env.ROPEWALK_SEEDS ?? 0) >= 10_000
const cap = full ? 250_000 : 1_500

const limits = {
  ...limitsOfTwo,
  ...{ planRepairs: 1, roundsPerAttempt: 1, attemptsPerStory: 1, crashesPerAgent: 1, mergesPerStory: 1 },
  ...{ parksPerStory: 1, amendmentsPerStory: 1, judgeRetries: 1, landings: 1, lostStartsPerStep: 1, fixStories: 0 },
  ...{ storiesPerPlan: 4 },
}
const range: Setting['range'] = {
  ...{ failures: ['empty', 'bad-spec', 'intent-gap'], troubles: false, asks: false, refusals: [], moves: false },
  plan: [story('a', { complexity: 3 })],
}
const staff = { agents: { mine: agent(), other: agent() } }
const roles = { coder: ['mine', 'other'], planner: ['mine'], challenger: ['other'] }
const base = { range, interleaved: false, meddling: false, turnsMatter: true, cap, stories: null }
const chain = [story('a', { complexity: 3 }), story('b', { dependsOn: ['a'], complexity: 2 })]

const three = [...chain, story('c', { dependsOn: ['b'] })]
const doers = { ...roles, challenger: [] }

/** The first of these stories is on the line, and not what the plan says. */
function departed(pinned: Policy, stories: Story[]): Pick<Setting, 'policy' | 'begun'> {
  const player = new Player({ ...pinned, gates: 'auto' }, null)
  player.perform('DraftPlan', drafts({ outline: null, stories }))
  player.perform('CodeStory a', departs)
  while (player.status('a') !== 'joined') player.performFirst({})
  const gated: DeliveryEvent = { type: 'PolicyPinned', policy: pinned, hash: 'p2' }
  return { policy: pinned, begun: [...requested(player.state.policy!, null), ...player.log, gated] }
}

const settings: [name: string, setting: Setting, ends: string[]][] = [
  [
    'a drafted story that is audited, amended and split, nobody is there',
    { ...base, policy: policy({ ...staff, roles, limits }) },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'the same behind a plan gate, people are there',
    { ...base, policy: policy({ ...staff, roles, limits, gates: 'plan', unattended: false }) },
    [],
  ],
  [
    'two drafted stories, people are there and the world is rough',
    {
      ...{ ...base, range: { ...range, troubles: true, plan: chain } },
      policy: policy({ ...staff, roles, limits, unattended: false }),
    },
    [],
  ],
  [
    'a given story, and what people may do with it when nobody can go on',
    { ...base, policy: policy({ ...staff, roles, limits, unattended: false }), stories: chain.slice(0, 1) },
    [],
  ],
  [
    'two drafted stories, people meddle and steps overtake each other',
    {
      ...{ ...base, range: { ...range, plan: chain }, interleaved: true, meddling: true },
      policy: policy({ ...staff, roles, limits, gates: 'manual', unattended: false }),
    },
    [],
  ],
  [
    'a story departed from the plan and others build on it, nobody is there and the world is rough',
    {
      ...{ ...base, range: { ...range, failures: ['bad-spec'], troubles: true, departs: true } },
      ...departed(policy({ ...staff, roles: doers, limits: { ...limits, replans: 2 } }), chain),
    },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'the same with two that may depart as well, behind a gate, and planners that come and go',
    {
      ...{ ...base, range: { ...range, failures: [], departs: true, refusals: ['quota', 'auth'] } },
      ...departed(
        policy({ ...staff, roles: doers, limits: { ...limits, replans: 2 }, gates: 'plan', unattended: false }),
        three,
      ),
    },
    [],
  ],
  [
    'the same when people meddle and steps overtake each other',
    {
      ...{ ...base, range: { ...range, departs: true }, interleaved: true, meddling: true },
      ...departed(policy({ ...staff, roles: doers, limits: { ...limits, replans: 2 }, unattended: false }), three),
    },
    [],
  ],
  [
    'planners and auditors that come and go',
    {
      ...{ ...base, range: { ...range, refusals: ['quota', 'auth'] } },
      policy: policy({ ...staff, roles: { ...roles, planner: ['mine', 'other'] }, limits, unattended: false }),
    },
    [],
  ],
]

describe('every control state of a plan that can be reached', () => {
  it.each(settings)(
    '%s',
    (name, setting, ends) => {
      const { states, transitions, ends: reached, whole } = explore(setting)
      console.log(
        `${name}: ${states} states${whole ? '' : ' (cut)'}, ${transitions} transitions, ${JSON.stringify(reached)}`,
      )
      expect(states).toBeGreaterThan(500)
      for (const end of ends) expect(Object.keys(reached)).toContain(end)
    },
    3_600_000,
  )
})
