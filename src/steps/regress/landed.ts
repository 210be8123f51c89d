import type { CommitId } from '../../delivery/ids.ts'
import type { Ancestry } from '../../ports/repository/commits.ts'
import type { StepWorld } from '../world.ts'

const mostLandings = 50

/** Whether one of the latest landings, of whichever delivery, is part of a commit. */
export async function hasLanded(
  { world, repository }: { world: Pick<StepWorld, 'log'>; repository: Ancestry },
  commit: CommitId,
): Promise<boolean> {
  const query = { delivery: null, story: null, types: ['Landed' as const], after: 0, limit: mostLandings }
  const landings = await world.log.query({ ...query, from: 'last' })
  for (const { event } of landings.reverse()) {
    if (event.type !== 'Landed') continue
    // A commit of another repository is not here.
    const [found] = await Promise.allSettled([repository.isAncestor(event.to, commit)])
    if (found.status === 'fulfilled' && found.value) return true
  }
  return false
}
