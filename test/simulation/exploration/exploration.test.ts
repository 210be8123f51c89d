import { describe, expect, it } from 'vitest'
import type { Limits } from '../../../src/delivery/policy.ts'
import { agent, limitsOfTwo, policy, single, story, suite } from '../sample.ts'
import type { Setting } from './explore.ts'
import { explore } from './explore.ts'

/** With 10,000 seeds or more everything is explored; otherwise the large spaces are cut, and the line says so. */
const full = Number(process.env.ROPEWALK_SEEDS ?? 0) >= 10_000
const cap = full ? 250_000 : 1_000

const limitsOfOne: Limits = {
  ...limitsOfTwo,
  planRepairs: 1,
  roundsPerAttempt: 1,
  crashesPerAgent: 1,
  mergesPerStory: 1,
  parksPerStory: 1,
  amendmentsPerStory: 1,
  judgeRetries: 1,
  landings: 1,
  lostStartsPerStep: 1,
}

const calm: Setting['range'] = { failures: ['crash', 'empty'], troubles: false, asks: true, refusals: [], moves: true }
const rough: Setting['range'] = { ...calm, troubles: true }
/** Agents that come and go, and nothing else that goes wrong. */
const fickle: Setting['range'] = {
  failures: ['stuck'],
  troubles: false,
  asks: false,
  refusals: ['rate-limit', 'quota', 'auth', 'session'],
  moves: false,
}
const pair = { agents: { mine: agent(), other: agent() }, roles: { coder: ['mine', 'other'], planner: [] } }
const one = [story('a')]
const chain = [story('a'), story('b', { dependsOn: ['a'] })]
const judges = ['inspection', 'check:test']
const checks = (full: 'merge' | 'end') => [suite(full)]
const twins = [story('a'), story('b')]
const three = [...twins, story('c')]
/** Coding always comes off: what happens to trains is what counts. */
const sure: Setting['range'] = { failures: [], troubles: false, asks: false, refusals: [], moves: true }
const base = { range: calm, interleaved: false, meddling: false, turnsMatter: true, cap }
const planner = { coder: ['mine'], planner: ['mine'] }

/** What is meant has to be settled first, and all that can be read is. */
const meant = (given: Parameters<typeof policy>[0] & object, more: Partial<Setting> = {}): Setting => ({
  ...{ ...base, range: { ...sure, moves: false }, stories: null, ...more },
  policy: policy({
    agents: { mine: agent(), other: agent() },
    ...given,
    limits: { ...limitsOfOne, readings: 8, ...given.limits },
    roles: { coder: ['mine'], planner: ['mine'], interpreter: ['mine'], challenger: ['other'], ...given.roles },
  }),
})

const first = (strategy: 'tdd' | 'three-session'): Setting => ({
  ...{ ...base, range: { ...sure, moves: full, failures: ['empty'] }, turnsMatter: false, cap: 250_000 },
  ...{ policy: policy({ strategy, checks: [single()], limits: { roundsPerAttempt: 2 } }), stories: one },
})
const accepted = { acceptance: true, checks: [single()] }

const settings: [name: string, setting: Setting, ends: string[]][] = [
  [
    'one story under the default limits',
    { ...base, range: { ...calm, moves: full }, turnsMatter: false, cap: 250_000, policy: policy(), stories: one },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'one story, limits of 2, a rough world, inspection and check',
    { ...base, range: rough, cap: 250_000, policy: policy({ limits: limitsOfTwo, judges }), stories: one },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'one drafted story behind a plan gate, limits of 1',
    {
      ...base,
      range: rough,
      policy: policy({ limits: limitsOfOne, gates: 'plan', unattended: false, roles: planner }),
      stories: null,
    },
    ['blocked'],
  ],
  [
    'one story behind gates, limits of 1, steps overtake each other',
    {
      ...base,
      interleaved: true,
      policy: policy({ limits: limitsOfOne, judges, gates: 'manual', unattended: false }),
      stories: one,
    },
    [],
  ],
  [
    'one story, limits of 1, people meddle and steps overtake each other',
    {
      ...base,
      interleaved: true,
      meddling: true,
      policy: policy({ limits: limitsOfOne, judges, unattended: false }),
      stories: one,
    },
    ['stopped'],
  ],
  [
    'one story whose coder maintains that old tests have to change, limits of 2, people are there',
    {
      ...{ ...base, range: { ...sure, moves: false, departs: true } },
      policy: policy({ limits: limitsOfTwo, judges: ['check:test', 'guard:test'], unattended: false }),
      stories: one,
    },
    [],
  ],
  [
    'one story, two agents that come and go, limits of 2',
    { ...base, range: fickle, policy: policy({ ...pair, limits: limitsOfTwo }), stories: one },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'two stories, two agents that come and go, people are there and steps overtake each other',
    {
      ...base,
      range: fickle,
      interleaved: true,
      policy: policy({ ...pair, limits: limitsOfOne, unattended: false }),
      stories: [story('a'), story('b')],
    },
    [],
  ],
  [
    'a plan by planners that come and go, limits of 1, people meddle',
    {
      ...base,
      range: fickle,
      meddling: true,
      policy: policy({
        ...pair,
        limits: limitsOfOne,
        unattended: false,
        roles: { coder: ['other'], planner: ['mine', 'other'] },
      }),
      stories: null,
    },
    [],
  ],
  [
    'two dependent stories, limits of 2, landed at the end',
    { ...base, cap: 250_000, policy: policy({ limits: limitsOfTwo }), stories: chain },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'two dependent stories, limits of 2, each landed at once',
    { ...base, range: rough, policy: policy({ limits: limitsOfTwo, land: 'each' }), stories: chain },
    [],
  ],
  [
    'two dependent stories, limits of 2, people meddle and steps overtake each other',
    {
      ...base,
      interleaved: true,
      meddling: true,
      policy: policy({ limits: limitsOfTwo, unattended: false, land: 'each' }),
      stories: chain,
    },
    ['stopped'],
  ],
  [
    'a train of two, limits of 1, proven at merge',
    {
      ...base,
      range: { ...sure, moves: full },
      coded: true,
      cap: 250_000,
      policy: policy({ checks: checks('merge'), limits: limitsOfOne }),
      stories: twins,
    },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'a train of three, limits of 1, one lane',
    {
      ...base,
      range: { ...sure, moves: false },
      coded: true,
      turnsMatter: false,
      policy: policy({ checks: checks('merge'), limits: { ...limitsOfOne, storiesPerPlan: 3, train: 3, checks: 1 } }),
      stories: three,
    },
    [],
  ],
  [
    'a train of three, limits of 1, three lanes, steps overtake each other',
    {
      ...base,
      range: sure,
      coded: true,
      interleaved: true,
      policy: policy({
        checks: checks('merge'),
        limits: { ...limitsOfOne, storiesPerPlan: 3, train: 3, agents: 3, checks: 3 },
      }),
      stories: three,
    },
    [],
  ],
  [
    'a train of two, each landed at once, a rough world, people meddle and steps overtake each other',
    {
      ...base,
      coded: true,
      range: { ...sure, troubles: true },
      interleaved: true,
      meddling: true,
      policy: policy({
        limits: limitsOfOne,
        land: 'each',
        unattended: false,
        checks: checks('merge'),
      }),
      stories: twins,
    },
    [],
  ],
  [
    'two stories that depend on each other in a train, the target moves',
    {
      ...base,
      range: sure,
      policy: policy({ checks: checks('merge'), limits: { ...limitsOfOne, landings: 2 } }),
      stories: chain,
    },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'two stories proven at the end, limits of 1, and the stories that mend them',
    { ...base, range: sure, policy: policy({ checks: checks('end'), limits: limitsOfOne }), stories: twins },
    ['done-with-concerns', 'blocked'],
  ],
  [
    'one story proven at the end, a rough world, people meddle and steps overtake each other',
    {
      ...base,
      range: { ...sure, troubles: true },
      interleaved: true,
      meddling: true,
      policy: policy({ checks: checks('end'), limits: limitsOfOne, unattended: false }),
      stories: one,
    },
    ['stopped'],
  ],
  ['one story with its tests first, under the default limits', first('tdd'), ['done-with-concerns', 'blocked']],
  ['one story in three sessions, under the default limits', first('three-session'), ['done-with-concerns', 'blocked']],
  [
    'one story in three sessions, limits of 1, agents come and go, people meddle and steps overtake each other',
    {
      ...{ ...base, range: fickle, interleaved: true, meddling: true },
      policy: policy({
        ...pair,
        checks: [single()],
        strategy: 'three-session',
        limits: limitsOfOne,
        unattended: false,
      }),
      stories: one,
    },
    ['stopped'],
  ],
  [
    'one story and acceptance tests, under the default limits',
    { ...base, range: { ...sure, moves: false }, turnsMatter: false, policy: policy(accepted), stories: one },
    ['blocked'],
  ],
  [
    'one story and acceptance tests, limits of 1, a rough world',
    { ...base, range: { ...sure, troubles: true }, policy: policy({ ...accepted, limits: limitsOfOne }), stories: one },
    ['blocked'],
  ],
  [
    'two stories and acceptance tests, limits of 2, with tests first',
    {
      ...{ ...base, range: { ...sure, moves: false } },
      policy: policy({ ...accepted, strategy: 'tdd', limits: limitsOfTwo }),
      stories: chain,
    },
    [],
  ],
  [
    'one story and acceptance tests, each landed at once, people meddle and steps overtake each other',
    {
      ...{ ...base, range: sure, interleaved: true, meddling: true },
      policy: policy({ ...accepted, land: 'each', limits: limitsOfOne, gates: 'manual', unattended: false }),
      stories: one,
    },
    [],
  ],
  ['what is meant, and nobody to ask', meant({ limits: { readings: full ? 8 : 4 } }, { cap: 250_000 }), ['blocked']],
  ['what is meant, and a human to ask', meant({ unattended: false }), []],
  [
    'what is meant, with three readings at most, a rough world, people meddle',
    meant({ unattended: false, limits: { readings: 3 } }, { range: { ...sure, troubles: true }, meddling: true }),
    [],
  ],
  [
    'what is meant, readers come and go, steps overtake each other',
    meant({ unattended: false }, { range: fickle, interleaved: true, meddling: true }),
    [],
  ],
]

describe('every control state that can be reached', () => {
  it.each(settings)(
    '%s',
    (name, setting, ends) => {
      const { states, transitions, ends: reached, whole } = explore(setting)
      console.log(`${name}: ${states} states${whole ? '' : ' (cut)'}, ${transitions} transitions`)
      expect(states).toBeGreaterThan(500)
      expect(whole || setting.cap === cap).toBe(true)
      for (const end of ends) expect(Object.keys(reached)).toContain(end)
    },
    3_600_000,
  )
})
