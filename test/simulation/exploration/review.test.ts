import { describe, expect, it } from 'vitest'
import type { Limits, Policy } from '../../../src/delivery/policy.ts'
import { reviewed } from '../judgement-sample.ts'
import { limitsOfTwo, policy, requested, story } from '../sample.ts'
import type { Setting } from './explore.ts'
import { explore } from './explore.ts'

const full = Number(process.env.ROPEWALK_SEEDS ?? 0) >= 10_000
const cap = full ? 250_000 : 1_000

const limitsOfOne: Limits = {
  ...limitsOfTwo,
  ...{ roundsPerAttempt: 1, crashesPerAgent: 1, mergesPerStory: 1, parksPerStory: 1, amendmentsPerStory: 1 },
  ...{ judgeRetries: 1, landings: 1, lostStartsPerStep: 1, reproductions: 1, fixStories: 0, attemptsPerStory: 1 },
}
const sure: Setting['range'] = { failures: [], troubles: false, asks: false, refusals: [], moves: false }
const base = { range: sure, interleaved: false, meddling: false, turnsMatter: false, stories: [story('a')], cap }
const triager = { triager: ['one'] }
const tested = reviewed({ verifyByTest: true })
const reviewers = reviewed().review.reviewers.map(({ vantage }) => ({ vantage, agents: ['one'] }))
const alike = reviewed({ reviewers, rebuttal: false })
const followed = { ...reviewed({ reviewers: reviewers.slice(0, 1), verifyByTest: true }), judges: ['inspection'] }
const agreed = reviewed({ rebuttal: false })

const subject = { base: 'c1', commit: 'c2', tree: 't2', title: 'A branch', description: '', criteria: [], calls: [] }
function onlyReviewed(pinned: Policy): Partial<Setting> {
  const [asked, ...rest] = requested(pinned, null)
  return { policy: pinned, stories: null, begun: [{ ...asked, review: subject } as never, ...rest] }
}

const settings: [name: string, setting: Setting, ends: string[]][] = [
  [
    'one story, two reviewers, a triager, rebuttals and tests of findings, limits of 2',
    {
      ...base,
      cap: 250_000,
      policy: policy({ ...tested, roles: triager, limits: { ...limitsOfOne, turnsPerStory: 4 } }),
    },
    ['done', 'blocked'],
  ],
  [
    'one story, two reviewers and a triager, people are there',
    { ...base, policy: policy({ ...tested, roles: triager, limits: limitsOfOne, unattended: false }) },
    ['done'],
  ],
  [
    'one story, a reviewer and whom the diff calls for, all one model, people are there',
    {
      ...base,
      policy: policy({ ...followed, roles: triager, limits: { ...limitsOfOne, agents: 4 }, unattended: false }),
    },
    ['done-with-concerns'],
  ],
  [
    'two stories, each reviewed by one model, gated, people are there',
    {
      ...{ ...base, stories: [story('a'), story('b')] },
      policy: policy({ ...alike, limits: limitsOfOne, gates: 'manual', unattended: false }),
    },
    ['stopped'],
  ],
  [
    'one story, two reviewers and nobody who sorts, a rough world',
    { ...base, range: { ...sure, troubles: true }, policy: policy({ ...agreed, limits: limitsOfOne }) },
    ['done', 'blocked'],
  ],
  [
    'one story, reviewers that come and go, people meddle and steps overtake each other',
    {
      ...{ ...base, range: { ...sure, refusals: ['rate-limit', 'auth'] }, interleaved: true, meddling: true },
      policy: policy({ ...tested, roles: triager, limits: limitsOfOne, unattended: false }),
    },
    ['stopped'],
  ],
  [
    'two dependent stories, reviewed and gated, people meddle',
    {
      ...{ ...base, meddling: true, stories: [story('a'), story('b', { dependsOn: ['a'] })] },
      policy: policy({ ...agreed, roles: triager, limits: limitsOfOne, gates: 'manual', unattended: false }),
    },
    ['stopped'],
  ],
  [
    'work that is only reviewed, in a rough world, by reviewers that come and go, people meddle',
    {
      ...{ ...base, range: { ...sure, troubles: true, refusals: ['quota', 'auth'] }, meddling: true },
      ...onlyReviewed(policy({ ...tested, roles: triager, limits: limitsOfOne, unattended: false })),
    } as Setting,
    ['stopped'],
  ],
]

describe('every control state of a review that can be reached', () => {
  it.each(settings)(
    '%s',
    (name, setting, ends) => {
      const { states, transitions, ends: reached, whole } = explore(setting)
      console.log(`${name}: ${states} states${whole ? '' : ' (cut)'}, ${transitions} transitions`, reached)
      expect(states).toBeGreaterThan(400)
      expect(whole || setting.cap === cap).toBe(true)
      for (const end of ends) expect(Object.keys(reached)).toContain(end)
    },
    3_600_000,
  )
})
