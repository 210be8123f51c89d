import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/delivery/policy.ts'
import { agent, policy, story } from '../sample.ts'
import { Chance } from './chance.ts'
import { simulate } from './simulate.ts'

const seeds = Number(process.env.ROPEWALK_SEEDS ?? 300)

const stories = [
  story('a', { files: ['x'] }),
  story('b', { dependsOn: ['a'] }),
  story('c', { files: ['x'] }),
  story('d', { dependsOn: ['b', 'c'] }),
]

function settings(seed: number): Policy {
  const chance = new Chance(seed + 1_000_000)
  return policy({
    unattended: chance.oneIn(2),
    gates: chance.pick(['auto', 'plan', 'manual']),
    land: chance.pick(['end', 'each']),
    judges: chance.pick([['check:test'], ['inspection', 'check:test']]),
    agents: { mine: agent(), other: agent({ models: { fast: 'small', powerful: 'large' } }) },
    roles: { coder: chance.pick([['mine'], ['mine', 'other']]), planner: [] },
    limits: { agents: chance.pick([1, 3]), lostStartsPerStep: 6, questionDeadlineMs: 5_000 },
  })
}

describe('a delivery whose processes die, sleep and come back', () => {
  it('ends, with nothing done twice and nothing landed unproven', async () => {
    const ends: Record<string, number> = {}
    let deaths = 0
    for (let seed = 1; seed <= seeds; seed++) {
      const simulated = await simulate(seed, { policy: settings(seed), stories }).catch((error: Error) => {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
      })
      const { mode } = simulated.state
      if (mode.status !== 'ended') throw new Error(`seed ${seed} is ${mode.status}`)
      const end = mode.result
      ends[end] = (ends[end] ?? 0) + 1
      deaths += simulated.deaths
    }
    console.log(`${seeds} seeds, ${deaths} deaths, ended as`, ends)
    expect(deaths).toBeGreaterThan(seeds / 2)
    expect(Object.keys(ends)).toContain('done')
  }, 3_600_000)
})
