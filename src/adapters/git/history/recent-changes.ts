import type { CommitId } from '../../../delivery/ids.ts'
import type { RecentChange } from '../../../ports/repository/commits.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit } from '../commit.ts'
import { bulkTimeoutMs } from '../run.ts'

const longestBytes = 64_000_000

/** Each commit begins with a character that no path and no subject has at its beginning. */
export async function recentChanges(
  clone: Clone,
  { commit, limit, since = null }: { commit: CommitId; limit: number; since?: CommitId | null },
): Promise<RecentChange[]> {
  const how = [
    '--no-merges',
    '--no-renames',
    '--name-only',
    '-z',
    `--max-count=${limit}`,
    '--format=%x1e%H%x1f%P%x1f%an%x1f%s',
  ]
  const call = { timeoutMs: bulkTimeoutMs, maxBytes: longestBytes }
  const output = await inClone(
    clone,
    ['log', ...how, asCommit(commit), ...(since === null ? [] : [`^${asCommit(since)}`]), '--'],
    call,
  )
  return output.stdout
    .toString('utf8')
    .split('\x1e')
    .slice(1)
    .map((entry) => {
      const [said = '', ...files] = entry.split('\0')
      const [id = '', parent = '', author = '', ...subject] = said.split('\x1f')
      return {
        commit: id,
        parent: parent === '' ? null : parent,
        author,
        subject: subject.join(' '),
        files: files.map((file) => file.replace(/^\n/, '')).filter(Boolean),
      }
    })
}
