import { describe, expect, it } from 'vitest'
import { harvest, interpretation } from '../../../test/simulation/judgement-sample.ts'
import { policy, story } from '../../../test/simulation/sample.ts'
import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Policy } from '../../delivery/policy.ts'
import { lift } from './lift.ts'

const without = <T extends object>(value: T, ...keys: string[]): T =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) as T

describe('what was written before tests had a time', () => {
  const before = without(story('a'), 'strategy', 'noTestsBecause')
  const given = (spec: object): DeliveryEvent =>
    ({ type: 'PlanGiven', plan: { stories: [spec] }, revision: 1, cause: 'given' }) as unknown as DeliveryEvent

  it('has them with the change', () => {
    expect(lift(3, given(before))).toMatchObject({ plan: { stories: [story('a')] } })
    const { roles, ...rest } = policy()
    const pinned = { ...without(rest, 'strategy', 'acceptance'), roles: without(roles, 'testWriter', 'verifier') }
    const event = { type: 'PolicyPinned', policy: pinned, hash: 'p' } as DeliveryEvent
    expect(lift(3, event)).toMatchObject({ policy: { strategy: 'after', acceptance: false, roles } })
  })
  it('has none where it said so', () => {
    const none = { strategy: 'none', noTestsBecause: expect.stringMatching(/./), tests: 'witnessed' }
    expect(lift(3, given({ ...before, tests: 'none' }))).toMatchObject({ plan: { stories: [none] } })
    const amended = { type: 'StoryAmended', story: 'a', changes: { tests: 'none' }, by: 'me' } as never
    expect(lift(3, amended)).toMatchObject({ changes: none })
    const added = {
      type: 'FixStoryAdded',
      step: 's',
      story: 'a',
      spec: { ...before, tests: 'none' },
      findings: [],
    } as never
    expect(lift(3, added)).toMatchObject({ spec: none })
  })
})

describe('what was written before one departure led to another plan', () => {
  it('comes to what it came to then', () => {
    const { intent, review, limits, ...rest } = policy()
    const pinned = {
      ...rest,
      intent: without(intent, 'fetch'),
      review: without(review, 'unverified'),
      limits: without(limits, 'replans', 'challengerTurns'),
    }
    const event = { type: 'PolicyPinned', policy: pinned, hash: 'p' } as DeliveryEvent
    const lifted = lift(5, event) as { policy: Policy }
    expect(lifted.policy).toMatchObject({ intent: { fetch: 'none', earlier: true }, review: { unverified: 'tell' } })
    expect(lifted.policy.limits.replans).toBe(0)
    expect(lifted.policy.earlier).toBeUndefined()
  })

  it('lacks nothing', () => {
    const said = { type: 'RequirementRead', step: 's', seat: 'first', quality: 'full' } as const
    const lifted = lift(5, { ...said, interpretation: without(interpretation(), 'missing') })
    expect(lifted).toMatchObject({ interpretation: { missing: [] } })
  })

  it('knows of no address that was read', () => {
    const context = without(harvest(), 'references')
    expect(lift(5, { type: 'ContextHarvested', step: 's', context })).toMatchObject({ context: { references: [] } })
  })
})
