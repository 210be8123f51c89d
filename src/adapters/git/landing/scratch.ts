import { bulkTimeoutMs, type GitCall, type GitOutput, itemsOf, userGit } from '../run.ts'
import type { Landing, Tree } from './landing.ts'

/** Git on a checkout, with our copy of its index. */
export function inScratch(tree: Tree, args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> {
  const env = { GIT_INDEX_FILE: tree.scratch }
  return userGit({ timeoutMs: bulkTimeoutMs, ...more, args: ['-C', tree.path, ...args], env })
}

/** What the landing changes, adds or takes away. */
export async function changedPaths(tree: Tree, landing: Landing, filter: string[]): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...filter, landing.from, landing.to]
  return itemsOf(await userGit({ args: ['-C', tree.path, ...args], timeoutMs: bulkTimeoutMs }))
}

/** Index entries of a commit for these paths; a path that it has not is removed. */
export async function entriesOf(tree: Tree, commit: string, paths: string[]): Promise<string> {
  if (paths.length === 0) return ''
  const args = ['-C', tree.path, 'ls-tree', '-r', '-z', '--full-tree', commit]
  const listed = itemsOf(await userGit({ args, timeoutMs: bulkTimeoutMs }))
  const entries = new Map(listed.map((item) => [item.slice(item.indexOf('\t') + 1), item]))
  return paths.map((path) => `${entries.get(path) ?? `0 ${'0'.repeat(40)}\t${path}`}\0`).join('')
}

export async function putEntries(tree: Tree, entries: string): Promise<void> {
  if (entries !== '') await inScratch(tree, ['update-index', '-z', '--index-info'], { input: entries })
}

/** Aloud: a quiet one says nothing either of a lock that another has left, which then nobody can give back. */
export async function learnAges(tree: Tree): Promise<void> {
  await inScratch(tree, ['update-index', '--refresh'], { accept: [1] })
}
