import type { CommitId } from '../../delivery/ids.ts'
import type { CodeStory, LendWorkspace } from '../../delivery/step.ts'
import { hashOf } from '../../std/hash.ts'
import type { Running, StepWork } from '../work.ts'
import { seenFrom } from './run-line.ts'
import { bringDown } from './setup.ts'

interface Wanted {
  name: string
  commit: CommitId
  /** Commands run in it to which it is to look like the user's checkout. */
  dressed?: boolean
}

/**
 * A copy of a commit for one use; gone afterwards, however that ends. Each try has its own: a driver that was stopped
 * and replaced still tidies up after itself when it wakes, and must not take away what its successor works in.
 */
export async function inCleanPlace<T>(
  work: Running,
  { name, commit, dressed }: Wanted,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { input, step, try: number, world, repository } = work
  const placeOf = (one: number): string => world.places.clean(input.delivery, `${step.id}-${one}${name}`)
  const remove = async (one: number): Promise<void> => repository.removePlace(placeOf(one))
  await Promise.allSettled(Array.from({ length: number - 1 }, (_, index) => remove(index + 1)))
  const place = placeOf(number)
  try {
    const result = await holdingOne(work, { place, commit, lasting: false }, async () => {
      await repository.exportTree(commit, place)
      const asCheckout = dressed === true && (await seenFrom(work, { place, lived: false })) !== place
      if (asCheckout) await repository.dressPlace({ path: place, commit, branch: input.request.target })
      return await use(place)
    })
    // What a check has made as another user cannot be removed; that says nothing about the check, and gc finds it.
    await Promise.allSettled([repository.leavePlace(place)])
    return result
  } catch (error) {
    await Promise.allSettled([remove(number)])
    throw error
  }
}

/** While it is used, a workspace has room on the disk, ports and a name; afterwards, however that ends, nothing is left of them. */
export const holding = <T>(
  work: StepWork<CodeStory | LendWorkspace>,
  place: string,
  use: () => Promise<T>,
): Promise<T> => holdingOne(work, { place, commit: work.step.from, lasting: true }, use)

async function holdingOne<T>(
  { world, input, repository, step, record }: Running,
  { place, commit, lasting }: { place: string; commit: CommitId; lasting: boolean },
  use: () => Promise<T>,
): Promise<T> {
  const { setup, workspace } = input.policy
  const { ports, services, quotaMb } = workspace
  const like = hashOf([input.request.repository.id, setup])
  const by = `${input.delivery} ${step.id}`
  const room = quotaMb === null ? null : { quotaMb, bytes: await repository.sizeOf(commit), like, by, lasting }
  try {
    if (room !== null) await world.holdings.makeRoom(place, room)
    if (ports > 0 || services.length > 0) await world.holdings.hold(place, ports)
    return await use()
  } finally {
    const left = world.holdings.instancesOf(place)
    const ends = await Promise.allSettled(left.map((instance) => bringDown(world, instance)))
    const told = ends.flatMap((end) => (end.status === 'fulfilled' && end.value !== null ? [end.value] : []))
    // It says nothing about the work, and the log may be somebody else's by now.
    for (const text of told) await Promise.allSettled([record({ type: 'ConcernRaised', story: null, text })])
    world.holdings.release(place)
  }
}
