import type { CommitId } from '../../delivery/ids.ts'
import type { Repository } from '../../ports/repository.ts'

/** The commit on which the tests were written that were shown to fail; the line may have gone on to `base` since. */
export async function beforeRed(repository: Repository, red: CommitId, base: CommitId): Promise<CommitId> {
  const [first] = await repository.history({ from: base, to: red, limit: 1_000 })
  return first?.parent ?? base
}
