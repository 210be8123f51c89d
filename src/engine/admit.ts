import type { DeliveryEvent } from '../delivery/events.ts'
import { type Gauge, gaugesOfDay, gaugeText, isNear, isReached, nearly, nothing } from '../delivery/money/ledger.ts'
import type { Ceilings, Policy } from '../delivery/policy.ts'
import { accountOf } from '../delivery/shared/choosing.ts'
import { type DeliveryState, policyOf } from '../delivery/state.ts'
import { type AgentStep, runsCommands, type Step, usesAgent } from '../delivery/step.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, SlotChange } from '../ports/event-log.ts'
import { keepLease } from './lease.ts'
import { load } from './load.ts'
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
  const gauges = await gaugesOn(world, day, ceilings)
  const reached = gauges.find((gauge) => isReached(gauge, usd))
  const facts = warning(state, day, gauges)
  if (reached !== undefined) return { ...taken, facts, instead: { type: 'DaySpent', day, text: gaugeText(reached) } }
  return { ...taken, reserveUsd: usd, facts, instead: await heardOf(world, state, step) }
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

async function gaugesOn(world: EngineWorld, day: string, ceilings: Ceilings): Promise<Gauge[]> {
  const isAny = gaugesOfDay(day, nothing, ceilings).length > 0
  return isAny ? gaugesOfDay(day, await world.log.spentOn(day), ceilings) : []
}

/** Once a day: from then on turns are taken by cheaper models, where agents have them. */
function warning({ money }: DeliveryState, day: string, gauges: Gauge[]): DeliveryEvent[] {
  const near = gauges.find(isNear)
  if (near === undefined || money.scarceDay === day) return []
  return [{ type: 'DayNearlySpent', day, text: nearly(gaugeText(near)) }]
}

/** Puts a turn that nobody drives into the ledger of its delivery, and so into what the day has cost. */
export async function book(
  { log, clock }: { log: EventLog; clock: Clock },
  { delivery, actor }: { delivery: string; actor: string },
  event: Extract<DeliveryEvent, { type: 'TurnSpent' }>,
): Promise<void> {
  for (;;) {
    const { version } = await load(log, delivery)
    const fresh = { at: clock.now(), actor, cause: null, event }
    const appended = await log.append({ delivery, expected: version, events: [fresh], fence: null, slots: [] })
    if (appended.status === 'appended') return
  }
}

export type SetAside = { status: 'reached'; ceiling: string } | { status: 'held'; release: () => Promise<void> }

/** Sets aside, under the ceilings of the day, what a turn takes that nobody drives; until it is released. */
export async function setAsideMoney(
  world: EngineWorld,
  { delivery, policy, agent }: { delivery: string; policy: Policy; agent: string },
): Promise<SetAside> {
  const { ceilings, agents } = policy
  const usd = agents[agent]?.reserveUsd ?? 0
  const at = world.clock.now()
  const day = world.dayOf(at)
  const reached = (await gaugesOn(world, day, ceilings)).find((gauge) => isReached(gauge, usd))
  if (reached !== undefined) return { status: 'reached', ceiling: gaugeText(reached) }
  const { id: worker, host, pid } = world.worker
  const lease = await world.log.takeLease({ delivery, worker, host, pid, at, ttlMs: world.leaseMs })
  if (lease === null) throw new Error(`${delivery} is held by somebody else`)
  const release = keepLease(world, lease, () => {})
  const reserve = { change: 'reserve' as const, holder: delivery, usd, day }
  const kept = await isKept(world, delivery, { ...reserve, ceilingUsd: ceilings.usdPerDay }).catch(async (error) => {
    // Nobody else will: it would be renewed for as long as the process lives, which would not end by itself.
    await release()
    throw error
  })
  if (kept) return { status: 'held', release }
  await release()
  return { status: 'reached', ceiling: `${ceilings.usdPerDay} USD for ${day}, with what others have set aside` }
}

async function isKept({ log }: EngineWorld, delivery: string, reserve: SlotChange): Promise<boolean> {
  const { version } = await load(log, delivery)
  const { status } = await log.append({ delivery, expected: version, events: [], fence: null, slots: [reserve] })
  return status === 'appended'
}
