import { policyOf } from '../../delivery/state.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'
import { bringDown } from './instances.ts'

/** While it is used, a place has room on the disk, ports and a name; afterwards, however that ends, nothing is left of them. */
export async function holding<T>(
  world: StepWorld,
  { performance, place }: { performance: Performance; place: string },
  use: () => Promise<T>,
): Promise<T> {
  const { ports, services, quotaMb } = policyOf(performance.state).workspace
  if (quotaMb !== null) await world.holdings.makeRoom(place, quotaMb)
  try {
    if (ports > 0 || services.length > 0) await world.holdings.hold(place, ports)
    return await use()
  } finally {
    const left = world.holdings.instancesOf(place)
    const ends = await Promise.allSettled(left.map((instance) => bringDown(world, instance)))
    for (const end of ends) if (end.status === 'fulfilled' && end.value !== null) await tell(performance, end.value)
    world.holdings.release(place)
  }
}

/** It says nothing about the work, and the log may be somebody else's by now. */
async function tell({ record }: Performance, text: string): Promise<void> {
  await Promise.allSettled([record({ type: 'ConcernRaised', story: null, text })])
}
