import type { CommitId } from '../../../delivery/ids.ts'
import type { FoundLine, TouchingCommit } from '../../../ports/repository/commits.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit } from '../commit.ts'
import { itemsOf } from '../run.ts'

const longestBytes = 8_000_000
const timeoutMs = 20_000

/** By git itself: it reads the commit's files from its packs, and there is no faster way to all of them. */
export async function searchLines(
  clone: Clone,
  { commit, words, perFile }: { commit: CommitId; words: string[]; perFile: number },
): Promise<FoundLine[]> {
  if (words.length === 0) return []
  const patterns = words.flatMap((word) => ['-e', word])
  const how = ['-I', '-i', '-F', '-n', '-z', '--full-name', '--no-color', `--max-count=${perFile}`]
  const call = { accept: [1], maxBytes: longestBytes, timeoutMs }
  const { stdout } = await inClone(clone, ['grep', ...how, ...patterns, asCommit(commit)], call)
  return stdout
    .toString('utf8')
    .split('\n')
    .flatMap((found) => lineIn(found, commit))
}

/** `commit:path`, NUL, number, NUL, text. */
function lineIn(found: string, commit: CommitId): FoundLine[] {
  const [place, line, text] = found.split('\0')
  if (place === undefined || line === undefined || text === undefined) return []
  return [{ path: place.slice(commit.length + 1), line: Number(line), text: text.slice(0, 400) }]
}

export async function touching(
  clone: Clone,
  { commit, paths, limit }: { commit: CommitId; paths: string[]; limit: number },
): Promise<TouchingCommit[]> {
  const how = [`--max-count=${limit}`, '--no-commit-header', '--format=%H%x00%cs%x00%s%x00']
  const args = ['rev-list', ...how, asCommit(commit), ...(paths.length === 0 ? [] : ['--', ...paths])]
  const items = itemsOf(await inClone(clone, args, { timeoutMs })).map((item) => item.trim())
  const commits: TouchingCommit[] = []
  for (let i = 0; i + 2 < items.length; i += 3)
    commits.push({ commit: items[i]!, day: items[i + 1]!, subject: items[i + 2]! })
  return commits
}
