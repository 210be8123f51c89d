import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { ReproduceFindings } from '../../delivery/review/steps.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { overwrite } from '../check/run-check.ts'
import { workMessage } from '../commit/message.ts'
import { inCleanPlace } from '../place/clean.ts'
import { reproducedRef, setRef } from '../place/refs.ts'
import type { StepWorld } from '../world.ts'
import type { WrittenTest } from './if-true.ts'

/** The tests that fail as predicted, as a commit on what was reviewed: the next round starts there. */
export async function keepRed(
  world: StepWorld,
  performance: Performance<ReproduceFindings>,
  { repository, kept }: { repository: Repository; kept: WrittenTest[] },
): Promise<{ commit: CommitId; tree: TreeId }> {
  const { state, step } = performance
  const request = { name: '-kept', commit: step.commit }
  const { commit, tree } = await inCleanPlace({ world, repository, performance }, request, async (path) => {
    for (const { file, text } of kept) {
      await overwrite(path, { path: file, text })
      await chmod(join(path, file), 0o644)
    }
    return await repository.commitPlace({
      ...{ path, commit: step.commit, base: step.commit, only: kept.map(({ file }) => file) },
      message: workMessage(state, step.story),
    })
  })
  const ref = reproducedRef(state.id, step)
  await setRef(repository, ref, { from: null, to: commit })
  return { commit, tree }
}
