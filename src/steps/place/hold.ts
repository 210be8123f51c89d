import type { CommitId } from '../../delivery/ids.ts'
import type { LendWorkspace } from '../../delivery/plan/steps.ts'
import { policyOf } from '../../delivery/state.ts'
import type { CodeStory } from '../../delivery/step.ts'
import type { Room } from '../../ports/holdings.ts'
import type { Performance } from '../../ports/performer.ts'
import { hashOf } from '../../std/hash.ts'
import type { StepWorld } from '../world.ts'
import { bringDown } from './instances.ts'
import { repositoryFor, requestOf } from './request.ts'

/** While it is used, a workspace has room on the disk, ports and a name; afterwards, however that ends, nothing is left of them. */
export const holding = <T>(
  world: StepWorld,
  { performance, place }: { performance: Performance<CodeStory | LendWorkspace>; place: string },
  use: () => Promise<T>,
): Promise<T> => holdingOne(world, { performance, place, commit: performance.step.from, lasting: true }, use)

interface Held {
  performance: Performance
  place: string
  commit: CommitId
}

/** The same for a clean place. */
export const holdingClean = <T>(world: StepWorld, held: Held, use: () => Promise<T>): Promise<T> =>
  holdingOne(world, { ...held, lasting: false }, use)

async function holdingOne<T>(
  world: StepWorld,
  { performance, place, commit, lasting }: Held & { lasting: boolean },
  use: () => Promise<T>,
): Promise<T> {
  const { ports, services } = policyOf(performance.state).workspace
  const room = await roomFor(world, performance, commit)
  try {
    if (room !== null) await world.holdings.makeRoom(place, { ...room, lasting })
    if (ports > 0 || services.length > 0) await world.holdings.hold(place, ports)
    return await use()
  } finally {
    const left = world.holdings.instancesOf(place)
    const ends = await Promise.allSettled(left.map((instance) => bringDown(world, instance)))
    for (const end of ends) if (end.status === 'fulfilled' && end.value !== null) await tell(performance, end.value)
    world.holdings.release(place)
  }
}

/** Null: nothing is counted. */
async function roomFor(
  world: StepWorld,
  { state, step }: Performance,
  commit: CommitId,
): Promise<Omit<Room, 'lasting'> | null> {
  const { workspace, setup } = policyOf(state)
  const { quotaMb } = workspace
  if (quotaMb === null) return null
  const bytes = await (await repositoryFor(world, state)).sizeOf(commit)
  const like = hashOf([requestOf(state).repository.id, setup])
  return { quotaMb, bytes, like, by: `${state.id} ${step.id}` }
}

/** It says nothing about the work, and the log may be somebody else's by now. */
async function tell({ record }: Performance, text: string): Promise<void> {
  await Promise.allSettled([record({ type: 'ConcernRaised', story: null, text })])
}
