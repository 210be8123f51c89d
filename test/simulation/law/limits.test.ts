import { describe, expect, it } from 'vitest'
import type { Complexity, Story } from '../../../src/delivery/plan/plan.ts'
import { planProblems } from '../../../src/delivery/plan/validate.ts'
import type { Limits, Policy } from '../../../src/delivery/policy.ts'
import type { Verb } from '../../../src/delivery/step.ts'
import type { Ending } from '../endings.ts'
import {
  conflicts,
  departs,
  drafts,
  fails,
  finds,
  happily,
  isSilent,
  looksInto,
  misreads,
  parks,
  reads,
  refuse,
  refuses,
  says,
} from '../endings.ts'
import { assumption, objection, reading, remark, reviewed } from '../judgement-sample.ts'
import { Player } from '../player.ts'
import { agent, policy, story, suite } from '../sample.ts'

/** More than any limit in these tests allows. */
const enough = 40
const by = 'somebody'
const five = ['a', 'b', 'c', 'd', 'e'].map((id) => story(id))
const pair = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine', 'other'], planner: [] } }
const ample: Partial<Limits> = {
  roundsPerAttempt: 50,
  attemptsPerStory: 50,
  turnsPerStory: 500,
  crashesPerAgent: 50,
  crashesPerStory: 50,
  mergesPerStory: 50,
}

interface Case {
  limit: keyof Limits
  /** What is allowed, and how many of it there are then. */
  value: number
  bound: number
  /** Counts what the limit bounds, and stops at `enough`. */
  count: (limits: Partial<Limits>) => number
}

const cases: Case[] = [
  {
    limit: 'agents',
    value: 2,
    bound: 2,
    count: (limits) => new Player(policy({ limits }), five).due().length,
  },
  {
    limit: 'checks',
    value: 2,
    bound: 2,
    count: (limits) => {
      const player = new Player(policy({ limits: { ...limits, agents: 5 } }), five)
      for (const { id } of five) player.perform(`CodeStory ${id}`)
      return player.due().filter((name) => name.startsWith('Judge')).length
    },
  },
  {
    limit: 'storiesPerPlan',
    value: 4,
    bound: 0,
    count: (limits) =>
      planProblems({ outline: null, stories: five }, limits.storiesPerPlan!).length === 0 ? five.length : 0,
  },
  {
    limit: 'planRepairs',
    value: 2,
    bound: 3,
    count: (limits) => times(planned(limits), 'DraftPlan', { DraftPlan: drafts({ outline: null, stories: [] }) }),
  },
  {
    limit: 'planAudits',
    value: 2,
    bound: 2,
    count: (limits) => {
      const agents = { mine: agent(), other: agent() }
      const roles = { planner: ['mine'], challenger: ['other'] }
      const player = new Player(policy({ agents, roles, intent: { ...policy().intent, skip: true }, limits }), null)
      const plan = drafts({ outline: null, stories: [story('a')] })
      return times(player, 'AuditPlan', { DraftPlan: plan, AuditPlan: objects })
    },
  },
  { limit: 'complexityPerStory', value: 3, bound: 3, count: largest((size) => ({ complexity: size as Complexity })) },
  { limit: 'filesPerStory', value: 3, bound: 3, count: largest((size) => ({ files: named(size) })) },
  { limit: 'criteriaPerStory', value: 3, bound: 3, count: largest((size) => ({ criteria: named(size) })) },
  { limit: 'planRevisions', value: 2, bound: 2, count: rejections },
  { limit: 'replans', value: 2, bound: 2, count: replans },
  { limit: 'readings', value: 5, bound: 5, count: readings },
  {
    limit: 'roundsPerAttempt',
    value: 2,
    bound: 2,
    count: (limits) => coding({ ...ample, ...limits, attemptsPerStory: 1 }, { Judge: finds() }),
  },
  {
    limit: 'attemptsPerStory',
    value: 3,
    bound: 3,
    count: (limits) => coding({ ...ample, ...limits }, { CodeStory: fails('empty') }),
  },
  {
    limit: 'crashesPerAgent',
    value: 2,
    bound: 3,
    count: (limits) => {
      const agents = { mine: agent(), other: agent() }
      const both = policy({ agents, roles: { coder: ['mine', 'other'], planner: [] }, limits: { ...ample, ...limits } })
      const player = play(new Player(both, [story('a')]), { CodeStory: fails('crash') })
      return player.performed.filter((step) => step.verb === 'CodeStory' && step.agent === 'mine').length
    },
  },
  {
    limit: 'crashesPerStory',
    value: 3,
    bound: 3,
    count: (limits) => coding({ ...ample, ...limits }, { CodeStory: fails('crash') }),
  },
  {
    limit: 'mergesPerStory',
    value: 2,
    bound: 3,
    count: (limits) => {
      const alone = policy({ limits: { ...ample, ...limits, attemptsPerStory: 1 } })
      return times(new Player(alone, [story('a')]), 'ComposeLine a', { ComposeLine: conflicts })
    },
  },
  {
    limit: 'parksPerStory',
    value: 2,
    bound: 3,
    count: (limits) => coding({ ...ample, ...limits }, { CodeStory: parks(0) }),
  },
  {
    limit: 'refusalsPerAgent',
    value: 2,
    bound: 2,
    count: (limits) => {
      const player = new Player(policy({ ...pair, limits: { ...ample, ...limits, parksPerStory: 100 } }), [story('a')])
      const coders = Array.from({ length: enough }, () => {
        player.at = player.wakeAt() ?? player.at
        return player.perform('CodeStory a', refuse('rate-limit'))
      })
      const other = coders.findIndex((step) => step.verb === 'CodeStory' && step.agent === 'other')
      return other < 0 ? enough : other
    },
  },
  { limit: 'amendmentsPerStory', value: 2, bound: 2, count: amendments },
  {
    limit: 'turnsPerStory',
    value: 4,
    bound: 4,
    count: (limits) => coding({ ...ample, ...limits }, { CodeStory: fails('gave-up') }),
  },
  {
    limit: 'agentStartsPerDelivery',
    value: 3,
    bound: 3,
    count: (limits) => {
      const player = play(new Player(policy({ limits }), five), {})
      return player.performed.filter((step) => step.verb === 'CodeStory').length
    },
  },
  {
    limit: 'judgeRetries',
    value: 2,
    bound: 3,
    count: (limits) => times(new Player(policy({ limits }), [story('a')]), 'Judge a check:test', { Judge: isSilent }),
  },
  {
    limit: 'landings',
    value: 2,
    bound: 2,
    count: (limits) => {
      const moved: Ending = (step) => refuses('moved', `c-theirs-${step.id}`)(step)
      return times(new Player(policy({ limits }), [story('a')]), 'Land', { Land: moved })
    },
  },
  {
    limit: 'lostStartsPerStep',
    value: 2,
    bound: 3,
    count: (limits) => {
      const player = new Player(policy({ limits }), [story('a')])
      let starts = 0
      for (; starts < enough && player.due().includes('CodeStory a'); starts++) player.start('CodeStory a')
      return starts
    },
  },
  {
    limit: 'train',
    value: 2,
    bound: 2,
    count: (limits) => {
      const player = new Player(policy({ limits: { ...limits, agents: 5, checks: 5 } }), five)
      for (const { id } of five) player.perform(`CodeStory ${id}`)
      for (const { id } of five) player.perform(`Judge ${id} check:test`)
      for (let next = coupling(player); next !== undefined; next = coupling(player)) player.perform(next)
      return player.state.line.train.length
    },
  },
  {
    limit: 'fixStories',
    value: 2,
    bound: 2,
    count: (limits) => {
      return times(new Player(policy({ checks: [suite('end')], limits }), [story('a')]), 'AddFixStory', {
        Judge: finds(),
      })
    },
  },
  {
    limit: 'reviewRounds',
    value: 2,
    bound: 2,
    count: (limits) => {
      const goalposts: Ending = (step) => says(objection([remark(`other ${step.id}`)]))(step)
      const player = play(new Player(policy({ ...reviewed(), limits: { ...ample, ...limits } }), [story('a')]), {
        ReviewStory: goalposts,
      })
      return player.times('ReviewStory a correctness')
    },
  },
  {
    limit: 'reproductions',
    value: 2,
    bound: 2,
    count: (limits) => {
      const findings = five.map(({ id }) => remark(id))
      const player = new Player(policy({ ...reviewed({ verifyByTest: true }), limits }), [story('a')])
      let tried = 0
      play(player, {
        ReviewStory: says(objection(findings)),
        ReproduceFindings: (step) => {
          tried = 'findings' in step ? step.findings.length : 0
          return happily(step)
        },
      })
      return tried
    },
  },
  {
    limit: 'questionDeadlineMs',
    value: 7,
    bound: 7,
    count: (limits) => {
      const alone = policy({ unattended: false, limits: { ...limits, attemptsPerStory: 1 } })
      const player = play(new Player(alone, [story('a')]), { CodeStory: fails('empty') })
      return player.wakeAt()!
    },
  },
]

describe.each(cases)('limits.$limit', ({ limit, value, bound, count }) => {
  it(`of ${value} allows ${bound}`, () => {
    expect(count({ [limit]: value })).toBe(bound)
  })
  it('one higher allows one more', () => {
    const more = limit === 'storiesPerPlan' ? five.length : bound + 1
    expect(count({ [limit]: value + 1 })).toBe(more)
  })
  it('is what stops it', () => {
    expect(count({ [limit]: Number.POSITIVE_INFINITY })).toBeGreaterThan(bound + 1)
  })
})

describe('what has a limit of its own', () => {
  it('no limit is without its test, but for what a step makes by itself: reruns of a check, asking again, turns within it, breakages', () => {
    const tested = cases.map(({ limit }) => limit)
    const limits = Object.keys(policy().limits).filter((one) => !/^(flaky|answer|challenger|breakages)/.test(one))
    expect(tested.sort()).toEqual(limits.sort())
  })
  it('a planner that always has to wait ends in trouble', () => {
    const player = planned({ parksPerStory: 2 }).run({ DraftPlan: parks(0) })
    expect(player.times('DraftPlan')).toBe(3)
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: expect.stringMatching(/wait too often/) })
  })
  it('a landing that always has to wait ends in trouble', () => {
    const player = new Player(policy({ limits: { parksPerStory: 2 } }), [story('a')]).run({ Land: parks(0) })
    expect(player.times('Land')).toBe(3)
    expect(player.result()).toBe('blocked')
  })
  it('the judge of a composed tree shares the places of all check runs', () => {
    const player = new Player(policy({ land: 'each', limits: { checks: 1, agents: 5 } }), five)
    player.perform('CodeStory a')
    player.perform('Judge a check:test')
    player.perform('ComposeLine a')
    player.perform('CodeStory b')
    player.start('Judge a line check:test')
    expect(player.due().filter((name) => name.startsWith('Judge'))).toEqual(['Judge a line check:test'])
  })
})

function play(player: Player, endings: Partial<Record<Verb, Ending>>): Player {
  for (let count = 0; count < enough && player.due().length > 0; count++) player.performFirst(endings)
  return player
}

/** It always finds something. */
const objects: Ending = (step) => {
  if (step.verb !== 'AuditPlan') throw new Error(`${step.verb} audits nothing`)
  return { type: 'PlanAudited', step: step.id, revision: step.revision, problems: ['too vague'], concerns: [] }
}

/** The size of the largest story that is coded without anybody being asked. */
function largest(sized: (size: number) => Partial<Omit<Story, 'id'>>): Case['count'] {
  return (limits) => {
    const isCoded = (size: number) => {
      const player = planned(limits)
      player.perform('DraftPlan', drafts({ outline: null, stories: [story('a', sized(size))] }))
      return player.due().includes('CodeStory a')
    }
    return Array.from({ length: enough }, (_, i) => i + 1).findLast(isCoded) ?? 0
  }
}

const named = (size: number): string[] => Array.from({ length: size }, (_, i) => `x${i}`)

const times = (player: Player, name: string, endings: Partial<Record<Verb, Ending>>): number =>
  play(player, endings).times(name)

const coupling = (player: Player): string | undefined => player.due().find((name) => name.startsWith('ComposeLine'))

const coding = (limits: Partial<Limits>, endings: Partial<Record<Verb, Ending>>): number =>
  times(new Player(policy({ limits }), [story('a')]), 'CodeStory a', endings)

function planned(limits: Partial<Limits>, given: Partial<Policy> = {}): Player {
  return new Player(policy({ ...given, roles: { coder: ['mine'], planner: ['mine'] }, limits }), null)
}

function rejections(limits: Partial<Limits>): number {
  const player = planned(limits, { gates: 'plan' })
  for (let count = 0; count < enough && player.state.mode.status === 'active'; count++) {
    play(player, { DraftPlan: drafts({ outline: null, stories: [story('a')] }) })
    player.answer('reject', 'no')
  }
  return player.times('DraftPlan')
}

/** One departs from the plan, and all others build on it. */
function replans(limits: Partial<Limits>): number {
  const player = planned(limits)
  const others = ['b', 'c', 'd', 'e', 'f'].map((id) => story(id, { dependsOn: ['a'] }))
  player.perform('DraftPlan', drafts({ outline: null, stories: [story('a'), ...others] }))
  play(player, { CodeStory: departs })
  return player.performed.filter(({ verb }) => verb === 'RespecifyStory').length
}

/** Everybody gives something usable only when asked again, and no two mean the same. */
function readings(limits: Partial<Limits>): number {
  const agents = { mine: agent(), other: agent() }
  const roles = { planner: ['mine'], interpreter: ['mine'], challenger: ['other'] }
  const player = new Player(policy({ agents, roles, limits }), null)
  const stubborn: Ending = (step) => {
    if (step.verb !== 'ReadRequirement' || step.turn === 0) return misreads(step)
    return reads({ reading: reading(step.seat), ambiguity: 'uncertain', assumptions: [assumption('a')] })(step)
  }
  play(player, { ReadRequirement: stubborn, CheckAssumptions: looksInto({ a: 'refuted' }) })
  return player.performed.filter(({ verb }) => verb === 'ReadRequirement').length
}

function amendments(limits: Partial<Limits>): number {
  const player = new Player(policy({ limits }), [story('a')])
  let accepted = 0
  for (; accepted < enough; accepted++) {
    const decision = player.tell({ type: 'AmendStory', story: 'a', changes: { title: 'x' }, by })
    if ('refused' in decision) break
  }
  return accepted
}

it('counts it as a start when an agent is asked again', () => {
  const player = new Player(policy({ limits: { agentStartsPerDelivery: 3, agents: 1 } }), [story('a'), story('b')])
  const step = player.start('CodeStory a')
  const source = { prompt: 'coder', override: null, hash: '', isolation: 'full', sections: [] } as const
  const started = {
    ...({ type: 'AgentStarted', step: step.id, story: 'a', role: 'coder', agent: 'mine', model: null } as const),
    ...{ command: [], environment: [], promptDigest: '', workspace: '', agentVersion: null },
    promptSource: { ...source, sections: [] },
  }
  player.record(started)
  expect(player.state.agentStarts).toBe(1)
  for (const again of [1, 2]) player.record({ ...started, again })
  expect(player.state.agentStarts).toBe(3)
  player.end(step)
  expect(player.due()).not.toContain('CodeStory b')
})
