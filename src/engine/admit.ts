import type { DeliveryEvent } from '../delivery/events.ts'
import { isNear, nearly, type Spending } from '../delivery/money/money.ts'
import type { Ceilings } from '../delivery/policy.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { policyOf } from '../delivery/state.ts'
import type { Step } from '../delivery/step.ts'
import { runsCommands, usesAgent } from '../delivery/step.ts'
import type { SlotChange } from '../ports/event-log.ts'
import type { EngineWorld } from './world.ts'

export interface Admission {
  slots: SlotChange[]
  reserveUsd: number
  /** A ceiling of the day is reached: until tomorrow. */
  heldUntil: number | null
  /** What is to be recorded before the start. */
  facts: DeliveryEvent[]
}

const dayMs = 86_400_000

/** What a step takes before it may start: a slot on this machine, money, a day that is not spent. */
export async function admission(
  world: EngineWorld,
  { state, step, mark }: { state: DeliveryState; step: Step; mark: string },
): Promise<Admission> {
  const { limits, agents, ceilings } = policyOf(state)
  const earlier = state.running[step.id]
  const slots: SlotChange[] = earlier === undefined ? [] : [{ change: 'give', holder: earlier.mark }]
  const taken = { slots, reserveUsd: 0, heldUntil: null, facts: [] }
  if (runsCommands(step)) slots.push({ change: 'take', kind: 'check', holder: mark, limit: limits.checks })
  if (!usesAgent(step)) return taken
  const usd = agents[step.agent]?.reserveUsd ?? 0
  const now = world.clock.now()
  const day = world.dayOf(now)
  slots.push({ change: 'take', kind: 'agent', holder: mark, limit: limits.agents })
  slots.push({ change: 'reserve', holder: mark, usd, day, ceilingUsd: ceilings.usdPerDay })
  const gauges = await gaugesOf(world, day, ceilings)
  const reached = gauges.some(
    ({ unit, spent, ceiling }) => spent >= ceiling || (unit === 'USD' && spent + usd > ceiling),
  )
  const heldUntil = reached ? (Math.floor(now / dayMs) + 1) * dayMs : null
  return { ...taken, reserveUsd: usd, heldUntil, facts: warning(state, day, gauges) }
}

interface Gauge {
  unit: string
  spent: number
  ceiling: number
}

async function gaugesOf(world: EngineWorld, day: string, ceilings: Ceilings): Promise<Gauge[]> {
  const { usdPerDay, tokensPerDay, minutesPerDay } = ceilings
  if (usdPerDay === null && tokensPerDay === null && minutesPerDay === null) return []
  const { usd, tokens, ms }: Spending = await world.log.spentOn(day)
  const all = [
    { unit: 'USD', spent: usd, ceiling: usdPerDay },
    { unit: 'tokens', spent: tokens, ceiling: tokensPerDay },
    { unit: 'minutes', spent: ms / 60_000, ceiling: minutesPerDay },
  ]
  return all.flatMap(({ ceiling, ...gauge }) => (ceiling === null ? [] : [{ ...gauge, ceiling }]))
}

/** Once a day: from then on turns are taken by cheaper models, where agents have them. */
function warning({ money }: DeliveryState, day: string, gauges: Gauge[]): DeliveryEvent[] {
  const near = gauges.find(({ spent, ceiling }) => isNear(spent, ceiling))
  if (near === undefined || money.scarceDay === day) return []
  return [{ type: 'DayNearlySpent', day, text: nearly(`${near.ceiling} ${near.unit} for ${day}`) }]
}
