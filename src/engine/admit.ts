import type { DeliveryState } from '../delivery/state.ts'
import { policyOf } from '../delivery/state.ts'
import type { Step } from '../delivery/step.ts'
import { runsCommands, usesAgent } from '../delivery/step.ts'
import type { SlotChange } from '../ports/event-log.ts'
import type { EngineWorld } from './world.ts'

export interface Admission {
  slots: SlotChange[]
  reserveUsd: number
  /** The ceiling of the day is reached: until tomorrow. */
  heldUntil: number | null
}

const dayMs = 86_400_000

/** What a step takes before it may start: a slot on this machine, money, a day that is not spent. */
export async function admission(
  world: EngineWorld,
  { state, step, mark }: { state: DeliveryState; step: Step; mark: string },
): Promise<Admission> {
  const { limits, agents, ceilings } = policyOf(state)
  const earlier = state.running[step.id]
  const give: SlotChange[] = earlier === undefined ? [] : [{ change: 'give', holder: earlier.mark }]
  if (usesAgent(step)) {
    const slots: SlotChange[] = [...give, { change: 'take', kind: 'agent', holder: mark, limit: limits.agents }]
    const reserveUsd = agents[step.agent]?.reserveUsd ?? 0
    return { slots, reserveUsd, heldUntil: await heldByDay(world, ceilings.usdPerDay) }
  }
  if (!runsCommands(step)) return { slots: give, reserveUsd: 0, heldUntil: null }
  return {
    slots: [...give, { change: 'take', kind: 'check', holder: mark, limit: limits.checks }],
    reserveUsd: 0,
    heldUntil: null,
  }
}

async function heldByDay(world: EngineWorld, ceiling: number | null): Promise<number | null> {
  if (ceiling === null) return null
  const now = world.clock.now()
  const spent = await world.log.spentOn(world.dayOf(now))
  return spent < ceiling ? null : (Math.floor(now / dayMs) + 1) * dayMs
}
