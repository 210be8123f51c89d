import { join } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { CommitText } from '../../ports/proofs/user-repository.ts'
import type { Ancestor, WholeCommit } from '../../ports/repository/commits.ts'
import { type Clone, inClone, targetRef } from './clone.ts'
import { asCommit } from './commit.ts'
import { readRef } from './refs.ts'
import { bulkTimeoutMs, itemsOf, lineOf, userGit } from './run.ts'
import { dropStaleLock } from './stale-lock.ts'

/** Brings the user's branch into our clone. Nothing is fetched when we have its tip already. */
export async function fetchTarget(clone: Clone, branch: string): Promise<CommitId> {
  const ours = targetRef(branch)
  const [tip, known] = await Promise.all([tipOf(clone.user, branch), readRef(clone, ours)])
  if (tip === null) throw new TerminalError(`there is no branch "${branch}"`, 'Name an existing branch as the target.')
  if (tip === known) return tip
  await dropStaleLock(join(clone.gitDir, ours))
  await userGit({
    args: [
      ...['--git-dir', clone.gitDir, 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow'],
      ...['--no-recurse-submodules', '--no-auto-maintenance', '--', clone.commonDir],
      `+refs/heads/${branch}:${ours}`,
    ],
    timeoutMs: bulkTimeoutMs,
  })
  return (await readRef(clone, ours))!
}

/** Objects only, and only when we lack them. */
export async function fetchCommit(clone: Clone, commit: CommitId): Promise<void> {
  const known = await inClone(clone, ['cat-file', '-e', `${asCommit(commit)}^{tree}`], { accept: [1, 128] })
  if (known.code === 0) return
  const silent = ['--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow', '--no-recurse-submodules']
  const args = ['--git-dir', clone.gitDir, 'fetch', ...silent, '--no-auto-maintenance', '--', clone.commonDir, commit]
  await userGit({ args, timeoutMs: bulkTimeoutMs })
}

/** Where the user's branch is now; null when there is none of that name. */
export async function tipOf(folder: string, branch: string): Promise<CommitId | null> {
  const args = ['-C', folder, 'rev-parse', '--verify', '-q', `refs/heads/${branch}^{commit}`]
  return lineOf(await userGit({ args, accept: [1] })) || null
}

export async function readFile(clone: Clone, commit: CommitId, path: string): Promise<string | null> {
  // An agent may have named it: what leads out of the repository is not in it, and git calls it an error.
  if (path === '' || path.startsWith('/') || path.split('/').includes('..')) return null
  const entries = itemsOf(await inClone(clone, ['ls-tree', '-z', '--full-tree', asCommit(commit), '--', path]))
  const entry = entries.find((item) => item.slice(item.indexOf('\t') + 1) === path)
  const object = /^100\d{3} blob ([0-9a-f]+)\t/.exec(entry ?? '')?.[1]
  if (object === undefined) return null
  return (await inClone(clone, ['cat-file', 'blob', object])).stdout.toString('utf8')
}

export async function readCommit(clone: Clone, commit: CommitId): Promise<CommitText> {
  return commitText((await inClone(clone, ['cat-file', 'commit', asCommit(commit)])).stdout.toString('utf8'))
}

/** A raw commit is its headers, an empty line, and its message. */
export function commitText(raw: string): CommitText {
  const end = raw.indexOf('\n\n')
  return { tree: /^tree ([0-9a-f]+)$/m.exec(raw.slice(0, end))![1]!, message: raw.slice(end + 2) }
}

export async function listFiles(clone: Clone, commit: CommitId): Promise<string[]> {
  const args = ['ls-tree', '-r', '-z', '--name-only', '--full-tree', asCommit(commit)]
  return itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
}

const longestBytes = 1_000_000

export async function readFiles(
  clone: Clone,
  commit: CommitId,
  paths: readonly string[],
): Promise<Map<string, Uint8Array>> {
  if (paths.length === 0) return new Map()
  const wanted = new Set(paths)
  const args = ['ls-tree', '-r', '-z', '-l', '--full-tree', asCommit(commit)]
  const entries = itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
    .map((item) => /^100\d{3} blob ([0-9a-f]+) +(\d+)\t(.*)$/s.exec(item))
    .filter((entry) => entry !== null && Number(entry[2]) <= longestBytes && wanted.has(entry[3]!))
    .map((entry) => ({ object: entry![1]!, path: entry![3]! }))
  const contents = await blobsOf(
    clone,
    entries.map(({ object }) => object),
  )
  return new Map(entries.flatMap(({ object, path }) => (contents.has(object) ? [[path, contents.get(object)!]] : [])))
}

/** The contents of objects by their ids, all by one process. */
export async function blobsOf(clone: Clone, objects: readonly string[]): Promise<Map<string, Buffer>> {
  if (objects.length === 0) return new Map()
  const input = `${[...new Set(objects)].join('\n')}\n`
  return splitBatch((await inClone(clone, ['cat-file', '--batch'], { input, timeoutMs: bulkTimeoutMs })).stdout)
}

/** `id blob size`, a line feed, the content, a line feed; and again. */
function splitBatch(output: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>()
  let at = 0
  while (at < output.length) {
    const end = output.indexOf(10, at)
    const [object, , size] = output.toString('utf8', at, end).split(' ')
    const start = end + 1
    contents.set(object!, output.subarray(start, start + Number(size)))
    at = start + Number(size) + 1
  }
  return contents
}

export async function isAncestor(clone: Clone, ancestor: CommitId, descendant: CommitId): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', asCommit(ancestor), asCommit(descendant)]
  return (await inClone(clone, args, { accept: [1] })).code === 0
}

export async function history(
  clone: Clone,
  { from, to, limit }: { from: CommitId; to: CommitId; limit: number },
): Promise<Ancestor[]> {
  const format = ['--first-parent', `--max-count=${limit}`, '--format=%H%x00%P%x00%s%x00', '--no-commit-header']
  const output = await inClone(clone, ['rev-list', ...format, `^${asCommit(from)}`, asCommit(to)])
  const entries = itemsOf(output).map((item) => item.trim())
  const commits: Ancestor[] = []
  for (let i = 0; i + 2 < entries.length; i += 3)
    commits.unshift({ commit: entries[i]!, parent: entries[i + 1]!.split(' ')[0]!, subject: entries[i + 2]! })
  return commits.filter(({ parent }) => parent !== '')
}

export async function wholeCommits(
  clone: Clone,
  { from, to, limit }: { from: CommitId; to: CommitId; limit: number },
): Promise<WholeCommit[]> {
  const said = ['%H', '%P', '%T', '%an', '%ae', '%ad', '%B', ''].join('%x00')
  const how = [
    '--first-parent',
    '--reverse',
    '--no-commit-header',
    '--date=raw',
    '--encoding=UTF-8',
    `--format=${said}`,
  ]
  const output = await inClone(clone, ['rev-list', ...how, `^${asCommit(from)}`, asCommit(to)])
  const items = itemsOf(output)
  const commits: WholeCommit[] = []
  for (let i = 0; i + 6 < items.length && commits.length < limit; i += 7) {
    const [commit, parents, tree, name, email, date, message] = items.slice(i, i + 7) as [
      ...[string, string, string, string, string, string, string],
    ]
    const author = { name, email, date }
    commits.push({ commit: commit.trim(), parents: parents.split(' ').filter(Boolean), tree, author, message })
  }
  return commits
}
