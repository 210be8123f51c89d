import { describe, expect, it } from 'vitest'
import { unreviewed } from '../../../src/delivery/completion.ts'
import type { Policy } from '../../../src/delivery/policy.ts'
import { accountOf } from '../../../src/delivery/shared/choosing.ts'
import type { CodeStory } from '../../../src/delivery/step.ts'
import { happily, refuse } from '../endings.ts'
import { agent, policy } from '../sample.ts'
import { delivered, events, type Yard } from './yard.ts'

const until = 60_000

/** Whoever takes a turn before then is refused by the service. Counts how often it was asked. */
async function refusing(
  agents: Policy['agents'],
  account: (step: CodeStory) => string,
): Promise<Yard & { asked: number }> {
  let asked = 0
  const pinned = policy({ agents, roles: { coder: Object.keys(agents), planner: [] }, limits: { agents: 1 } })
  const yard = await delivered(3, pinned, {
    names: ['a'],
    performer:
      ({ clock }) =>
      async ({ step }) => {
        if (step.verb !== 'CodeStory') return happily(step) as never
        await clock.until(clock.now() + 100, new AbortController().signal)
        if (step.agent !== 'mine' || clock.now() >= until) return happily(step) as never
        asked += 1
        return { ...refuse('rate-limit', until)(step), account: account(step) } as never
      },
  })
  return { ...yard, asked }
}

describe('a service that told how long it refuses turns', () => {
  const mine = agent()

  it('is not asked again by other deliveries before that', async () => {
    const yard = await refusing({ mine }, () => accountOf(mine))
    expect(yard.asked).toBe(1)
    expect(await events(yard, 'AgentRefused')).toMatchObject([{ until }, { until }, { until }])
    expect(await events(yard, 'DeliveryCompleted')).toMatchObject([1, 2, 3].map(() => ({ concerns: [unreviewed] })))
  })
  it('is asked by those that use another', async () => {
    expect((await refusing({ mine }, () => 'another')).asked).toBe(3)
  })
})
