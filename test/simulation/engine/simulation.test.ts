import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../src/delivery/policy.ts'
import { storiesOf } from '../../../src/delivery/state.ts'
import { reviewed } from '../judgement-sample.ts'
import { agent, policy, story, suite } from '../sample.ts'
import { Chance } from './chance.ts'
import { simulate } from './simulate.ts'

const seeds = Number(process.env.ROPEWALK_SEEDS ?? 300)

const stories = [
  story('a', { files: ['x'] }),
  story('b', { dependsOn: ['a'] }),
  story('c', { files: ['x'] }),
  story('d', { dependsOn: ['b', 'c'] }),
]
/** All of them may be in one train. */
const siblings = ['e', 'f', 'g', 'h', 'i'].map((id) => story(id))

function settings(seed: number): Policy {
  const chance = new Chance(seed + 1_000_000)
  const later = new Chance(seed + 2_000_000)
  const last = new Chance(seed + 3_000_000)
  const judging = new Chance(seed + 4_000_000)
  const reviewers = reviewed().review.reviewers
  return policy({
    unattended: chance.oneIn(2),
    gates: chance.pick(['auto', 'plan', 'manual']),
    land: chance.pick(['end', 'each']),
    judges: chance.pick([['check:test'], ['inspection', 'check:test']]),
    agents: { ...reviewed().agents, mine: agent(), other: agent({ models: { fast: 'small', powerful: 'large' } }) },
    review: { ...reviewed().review, rebuttal: judging.oneIn(2), reviewers: judging.oneIn(2) ? reviewers : [] },
    roles: {
      coder: chance.pick([['mine'], ['mine', 'other']]),
      triager: judging.pick([[], ['one']]),
      ...(judging.oneIn(3) ? { planner: ['two'], interpreter: ['one'], challenger: ['two', 'one'] } : { planner: [] }),
    },
    checks: [{ ...suite(later.pick(['story', 'merge', 'end'])), related: last.pick([null, 'npm test {files}']) }],
    strategy: last.pick(['after', 'tdd', 'three-session']),
    acceptance: last.oneIn(2),
    limits: {
      ...{ agents: chance.pick([1, 3]), lostStartsPerStep: 6, questionDeadlineMs: 5_000 },
      ...{ checks: later.pick([1, 2, 4]), train: later.pick([1, 2, 16]) },
    },
  })
}

describe('a delivery whose processes die, sleep and come back', () => {
  it('ends, with nothing done twice and nothing landed unproven', async () => {
    const ends: Record<string, number> = {}
    let [deaths, longest, mends, accepted, first, approved, settled] = [0, 0, 0, 0, 0, 0, 0]
    for (let seed = 1; seed <= seeds; seed++) {
      const plan = seed % 3 === 0 ? siblings : stories
      const simulated = await simulate(seed, { policy: settings(seed), stories: plan }).catch((error: Error) => {
        throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
      })
      const { mode } = simulated.state
      if (mode.status !== 'ended') throw new Error(`seed ${seed} is ${mode.status}`)
      const end = mode.result
      ends[end] = (ends[end] ?? 0) + 1
      deaths += simulated.deaths
      longest = Math.max(longest, simulated.longestTrain)
      mends += simulated.state.line.mends
      const merged = storiesOf(simulated.state).filter(({ control }) => control.status === 'merged')
      accepted += merged.filter(({ kind }) => kind === 'acceptance').length
      approved += merged.filter(({ review }) => review.approved !== null).length
      settled += simulated.state.intent.control.status === 'settled' ? 1 : 0
      first += merged.filter(({ kind, red }) => kind === 'story' && red !== null).length
    }
    console.log(`${seeds} seeds, ${deaths} deaths, ${mends} mends, trains of up to ${longest}, ended as`, ends)
    console.log(`${accepted} with acceptance tests, ${first} stories with their tests first`)
    console.log(`${approved} stories reviewed, ${settled} deliveries whose intent was settled`)
    expect(approved).toBeGreaterThan(0)
    expect(settled).toBeGreaterThan(0)
    expect(longest).toBeGreaterThan(2)
    expect(mends).toBeGreaterThan(0)
    expect(accepted).toBeGreaterThan(0)
    expect(first).toBeGreaterThan(0)
    expect(deaths).toBeGreaterThan(seeds / 2)
    expect(Object.keys(ends)).toContain('done-with-concerns')
  }, 3_600_000)
})
