import type { CommitId } from '../../delivery/ids.ts'
import type { Repository } from '../../ports/repository.ts'
import type { StepWorld } from '../world.ts'

/** A copy of a commit for one use; gone afterwards, however that ends. */
export async function inCleanPlace<T>(
  { world, repository, delivery }: { world: StepWorld; repository: Repository; delivery: string },
  { name, commit }: { name: string; commit: CommitId },
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = world.places.clean(delivery, name)
  try {
    await repository.exportTree(commit, path)
    return await use(path)
  } finally {
    await repository.removePlace(path)
  }
}
