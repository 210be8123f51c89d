import type { CommitId } from '../../../delivery/ids.ts'
import type { Repository } from '../../../ports/repository/repository.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit } from '../commit.ts'
import { bulkTimeoutMs } from '../run.ts'

type Line = Awaited<ReturnType<Repository['firstParents']>>

/** One process, however long the history is. */
export async function firstParents(clone: Clone, tip: CommitId): Promise<Line> {
  const format = ['--first-parent', '--reverse', '--no-commit-header', '--format=%H%x1f%P%x1f%an%x1f%s']
  const output = await inClone(clone, ['rev-list', ...format, asCommit(tip)], { timeoutMs: bulkTimeoutMs })
  return output.stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [commit = '', parents = '', author = '', ...subject] = line.split('\x1f')
      return { commit, parents: parents.split(' ').filter(Boolean), author, subject: subject.join(' ') }
    })
}
