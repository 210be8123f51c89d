import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { ReproduceFindings } from '../../delivery/review/steps.ts'
import { overwrite } from '../check/run-check.ts'
import { workMessage } from '../commit/message.ts'
import { inCleanPlace } from '../place/clean.ts'
import { reproducedRef, setRef } from '../place/refs.ts'
import type { Work } from '../work.ts'
import type { WrittenTest } from './try-test.ts'

/** The tests that fail as predicted, as a commit on what was reviewed: the next round starts there. */
export async function keepRed(
  work: Work<ReproduceFindings>,
  kept: WrittenTest[],
): Promise<{ commit: CommitId; tree: TreeId }> {
  const { input, step, repository } = work
  const request = { name: '-kept', commit: step.commit }
  const { commit, tree } = await inCleanPlace(work, request, async (path) => {
    for (const { file, text } of kept) {
      await overwrite(path, { path: file, text })
      await chmod(join(path, file), 0o644)
    }
    return await repository.commitPlace({
      ...{ path, commit: step.commit, base: step.commit, only: kept.map(({ file }) => file) },
      message: workMessage(input),
    })
  })
  await setRef(repository, reproducedRef(input.delivery, step), { from: null, to: commit })
  return { commit, tree }
}
