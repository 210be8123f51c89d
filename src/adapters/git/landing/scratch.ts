import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '../clone.ts'
import { changesBetween, isAdded, isRemoved, type TreeChange } from '../objects/changes.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, userGit } from '../program/run.ts'
import { copyIndex } from '../workspace/agent-git.ts'
import type { BranchMove, LandedTree } from './lock.ts'

/** Git on a checkout, with our copy of its index. */
export function inScratch(tree: LandedTree, args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> {
  const env = { ...more.env, GIT_INDEX_FILE: tree.scratch }
  return userGit({ timeoutMs: bulkTimeoutMs, ...more, args: ['-C', tree.path, ...args], env })
}

/** What the landing changes, adds or takes away. */
export async function changesOf({ objects }: LandedTree, { from, to }: BranchMove): Promise<TreeChange[]> {
  const [before, after] = await Promise.all([objects.commit(from), objects.commit(to)])
  return await changesBetween(objects, before.tree, after.tree)
}

/** Index entries of a commit for these paths; a path that it has not is removed. */
export async function scratchEntries({ objects }: LandedTree, commit: string, paths: string[]): Promise<string> {
  const { tree } = await objects.commit(commit)
  const found = await Promise.all(paths.map((path) => objects.entryAt(tree, path)))
  return paths.map((path, at) => `${found[at]?.mode ?? 0} ${found[at]?.object ?? '0'.repeat(40)}\t${path}\0`).join('')
}

export async function putEntries(tree: LandedTree, entries: string): Promise<void> {
  if (entries !== '') await inScratch(tree, ['update-index', '-z', '--index-info'], { input: entries })
}

export async function copyScratch(tree: LandedTree): Promise<void> {
  if (await exists(tree.index)) await copyIndex(tree.index, tree.scratch)
}

/**
 * A file that was touched, or came back from a backup, is no change: read-tree goes by the age that the index knows.
 * Aloud: a quiet one says nothing either of a lock that another has left, which then nobody can give back.
 */
export async function learnAges(tree: LandedTree): Promise<void> {
  if (await exists(tree.scratch)) await inScratch(tree, ['update-index', '--refresh'], { accept: [1] })
}

/** Files that the landing adds where there is something already: git would overwrite what is ignored. */
export async function inTheWay(tree: LandedTree, changes: TreeChange[]): Promise<{ path: string; by: string }[]> {
  const leaving = new Set(changes.filter(isRemoved).map(({ path }) => path))
  const added = changes.filter(isAdded)
  const found = await Promise.all(added.map(async ({ path }) => ({ path, by: await obstacleOf(tree.path, path) })))
  return found.flatMap(({ path, by }) => (by === null || leaving.has(by) ? [] : [{ path, by }]))
}

/** What is in the place of a file, or, where a folder above it must be, something else. */
async function obstacleOf(root: string, path: string): Promise<string | null> {
  const names = path.split('/')
  for (let depth = 1; depth < names.length; depth++) {
    const folder = names.slice(0, depth).join('/')
    const found = await lstat(join(root, folder)).catch(() => null)
    if (found === null) return null
    if (!found.isDirectory()) return folder
  }
  const found = await lstat(join(root, path)).catch(() => null)
  if (found === null) return null
  return !found.isDirectory() || (await readdir(join(root, path))).length > 0 ? path : null
}
