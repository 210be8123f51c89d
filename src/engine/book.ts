import type { DeliveryEvent } from '../delivery/events.ts'
import { dayText } from '../delivery/money/ledger.ts'
import type { Policy } from '../delivery/policy.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, SlotChange } from '../ports/event-log.ts'
import { spentToday } from './admit.ts'
import { keepLease } from './lease.ts'
import { load } from './load.ts'
import type { EngineWorld } from './world.ts'

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
  const spent = await spentToday(world, ceilings, usd)
  if (spent !== null) return { status: 'reached', ceiling: spent }
  const { id: worker, host, pid } = world.worker
  const at = world.clock.now()
  const lease = await world.log.takeLease({ delivery, worker, host, pid, at, ttlMs: world.leaseMs })
  if (lease === null) throw new Error(`${delivery} is held by somebody else`)
  const release = keepLease(world, lease, () => {})
  const reserve = { change: 'reserve' as const, holder: delivery, usd, day: world.dayOf(at) }
  const kept = await isKept(world, delivery, { ...reserve, ceilingUsd: ceilings.usdPerDay }).catch(async (error) => {
    // Nobody else will: it would be renewed for as long as the process lives, which would not end by itself.
    await release()
    throw error
  })
  if (kept) return { status: 'held', release }
  await release()
  return {
    status: 'reached',
    ceiling: `${dayText(ceilings.usdPerDay ?? 0, 'USD', reserve.day)}, with what others have set aside`,
  }
}

async function isKept({ log }: EngineWorld, delivery: string, reserve: SlotChange): Promise<boolean> {
  const { version } = await load(log, delivery)
  const { status } = await log.append({ delivery, expected: version, events: [], fence: null, slots: [reserve] })
  return status === 'appended'
}
