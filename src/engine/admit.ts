import type { DeliveryEvent } from '../delivery/events.ts'
import { dayText, isNear, nearly, type Spending } from '../delivery/money/ledger.ts'
import type { Ceilings } from '../delivery/policy.ts'
import { accountOf } from '../delivery/shared/choosing.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { policyOf } from '../delivery/state.ts'
import type { AgentStep, Step } from '../delivery/step.ts'
import { runsCommands, usesAgent } from '../delivery/step.ts'
import type { SlotChange } from '../ports/event-log.ts'
import type { EngineWorld } from './world.ts'

export interface Admission {
  slots: SlotChange[]
  reserveUsd: number
  /** What is to be recorded before the start. */
  facts: DeliveryEvent[]
  /** What is to be recorded instead of performing it. */
  instead: DeliveryEvent | null
}

/** What a step takes before it may start: a slot on this machine, money, a day that is not spent. */
export async function admission(
  world: EngineWorld,
  { state, step, mark }: { state: DeliveryState; step: Step; mark: string },
): Promise<Admission> {
  const { limits, agents, ceilings } = policyOf(state)
  const earlier = state.running[step.id]
  const slots: SlotChange[] = earlier === undefined ? [] : [{ change: 'give', holder: earlier.mark }]
  const taken = { slots, reserveUsd: 0, facts: [], instead: null }
  if (runsCommands(step)) slots.push({ change: 'take', kind: 'check', holder: mark, limit: limits.checks })
  if (!usesAgent(step)) return taken
  const usd = agents[step.agent]?.reserveUsd ?? 0
  const day = world.dayOf(world.clock.now())
  slots.push({ change: 'take', kind: 'agent', holder: mark, limit: limits.agents })
  slots.push({ change: 'reserve', holder: mark, usd, day, ceilingUsd: ceilings.usdPerDay })
  const gauges = await gaugesOf(world, day, ceilings)
  const reached = reachedIn(gauges, usd)
  const facts = warning(state, day, gauges)
  if (reached !== undefined) return { ...taken, facts, instead: { type: 'DaySpent', day, text: textOf(reached, day) } }
  return { ...taken, reserveUsd: usd, facts, instead: await heardOf(world, state, step) }
}

const reachedIn = (gauges: Gauge[], usd: number): Gauge | undefined =>
  gauges.find(({ unit, spent, ceiling }) => spent >= ceiling || (unit === 'USD' && spent + usd > ceiling))

/** The ceiling of the day under which so much does not fit any more, or null. */
export async function spentToday(world: EngineWorld, ceilings: Ceilings, usd: number): Promise<string | null> {
  const day = world.dayOf(world.clock.now())
  const reached = reachedIn(await gaugesOf(world, day, ceilings), usd)
  return reached === undefined ? null : textOf(reached, day)
}

/** Another delivery was told by the same service how long it refuses turns, and no human has said to go on since. */
async function heardOf(world: EngineWorld, state: DeliveryState, step: AgentStep): Promise<DeliveryEvent | null> {
  const { id, story, agent, model } = step
  const policy = policyOf(state).agents[agent]
  if (policy === undefined) return null
  const account = accountOf(policy)
  const told = [await world.log.refusalOf(account, model), await world.log.refusalOf(account, null)]
  const now = world.clock.now()
  const refusal = told.find((one) => one !== null && one.until > now && one.since > state.resumedAt)
  if (refusal == null) return null
  const { kind, until, message, remedy } = refusal
  return { type: 'AgentRefused', step: id, story, agent, model, account, kind, until, message, remedy }
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
  return [{ type: 'DayNearlySpent', day, text: nearly(textOf(near, day)) }]
}

const textOf = ({ ceiling, unit }: Gauge, day: string): string => dayText(ceiling, unit, day)
