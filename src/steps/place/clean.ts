import type { CommitId } from '../../delivery/ids.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { StepWorld } from '../world.ts'
import { seenFrom } from './confine.ts'
import { holdingClean } from './hold.ts'
import { requestOf } from './request.ts'

/**
 * A copy of a commit for one use; gone afterwards, however that ends. Each try has its own: a driver that was stopped
 * and replaced still tidies up after itself when it wakes, and must not take away what its successor works in.
 */
export async function inCleanPlace<T>(
  { world, repository, performance }: { world: StepWorld; repository: Repository; performance: Performance },
  { name, commit, dressed }: Wanted,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { state, step, try: number } = performance
  const placeOf = (one: number): string => world.places.clean(state.id, `${step.id}-${one}${name}`)
  const remove = async (one: number): Promise<void> => repository.removePlace(placeOf(one))
  await Promise.allSettled(Array.from({ length: number - 1 }, (_, index) => remove(index + 1)))
  const path = placeOf(number)
  try {
    const result = await holdingClean(world, { performance, place: path, commit }, async () => {
      await repository.exportTree(commit, path)
      const { target } = requestOf(state)
      const asCheckout =
        dressed === true && (await seenFrom(world, performance, { place: path, lived: false })) !== path
      if (asCheckout) await repository.dressPlace({ path, commit, branch: target })
      return await use(path)
    })
    // What a check has made as another user cannot be removed; that says nothing about the check, and gc finds it.
    await Promise.allSettled([repository.leavePlace(path)])
    return result
  } catch (error) {
    await Promise.allSettled([remove(number)])
    throw error
  }
}

interface Wanted {
  name: string
  commit: CommitId
  /** Commands run in it to which it is to look like the user's checkout. */
  dressed?: boolean
}
