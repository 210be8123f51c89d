import type { Lease } from '../ports/event-log.ts'
import type { EngineWorld } from './world.ts'

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
