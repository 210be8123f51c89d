import type { EventLog, Lease } from '../ports/event-log.ts'
import { tell } from '../std/running.ts'
import type { EngineWorld } from './world.ts'

type Taker = Omit<Parameters<EventLog['takeLease']>[0], 'at' | 'watched'>

const looks = 12

/**
 * Takes the lease. A holder that is alive beside us and renews it in time has it. Of any other that may be alive nobody
 * here knows, and its clock may be another: it is watched by our own for the whole time in which it must renew.
 */
export async function obtainLease(
  world: Pick<EngineWorld, 'log' | 'clock'>,
  taker: Taker,
  signal: AbortSignal = new AbortController().signal,
): Promise<Lease | null> {
  const { log, clock } = world
  const lease = await log.takeLease({ ...taker, at: clock.now() })
  const held = lease === null ? await log.leaseOf(taker.delivery) : null
  if (lease !== null || held === null || (held.beside && held.expiresAt > clock.now())) return lease
  const seconds = Math.ceil(held.ttlMs / 1000)
  tell(`process ${held.pid} on ${held.host} may still drive this: watching it for up to ${seconds} s`)
  for (let look = 0; look < looks; look++) {
    await clock.until(clock.now() + held.ttlMs / looks, signal)
    const { fence, expiresAt } = (await log.leaseOf(taker.delivery)) ?? held
    if (signal.aborted || fence !== held.fence || expiresAt !== held.expiresAt) return null
  }
  const { fence, expiresAt } = held
  return await log.takeLease({ ...taker, at: clock.now(), watched: { fence, expiresAt } })
}

/** Keeps the lease alive until told to stop; `lost` is called once when another driver has taken over. */
export function keepLease(world: EngineWorld, lease: Lease, tick: (lost: boolean) => void): () => Promise<void> {
  const stop = new AbortController()
  const done = renew(world, lease, { signal: stop.signal, tick })
  return async () => {
    stop.abort()
    const held = await done
    if (held !== null) await world.log.releaseLease(held).catch(() => undefined)
  }
}

async function renew(
  world: EngineWorld,
  first: Lease,
  { signal, tick }: { signal: AbortSignal; tick: (lost: boolean) => void },
): Promise<Lease | null> {
  let lease = first
  for (;;) {
    await world.clock.until(world.clock.now() + world.leaseMs / 3, signal)
    if (signal.aborted) return lease
    const renewed = await tryRenew(world, lease)
    if (renewed === 'later') continue
    tick(renewed === null)
    if (renewed === null) return null
    lease = renewed
  }
}

/** A log that cannot be written right now is the loop's to report; the lease just runs on towards its end. */
async function tryRenew(world: EngineWorld, lease: Lease): Promise<Lease | null | 'later'> {
  try {
    return await world.log.renewLease(lease, world.clock.now(), world.leaseMs)
  } catch {
    return 'later'
  }
}
