import { lstat, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { TerminalError, TransientError } from '../../../ports/errors.ts'
import { dirtyFiles } from '../checkout.ts'
import { exists } from '../clone.ts'
import { failure } from '../failures.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, itemsOf, userGit } from '../run.ts'
import { copyIndex } from '../workspace/agent-git.ts'
import type { Landing, Tree } from './landing.ts'
import { clearScratch, requireLock } from './lock.ts'

/** What keeps this checkout from following the branch; empty when it may. Nothing is changed. */
export async function obstacles(tree: Tree, landing: Landing): Promise<string[]> {
  const unfinished = await operations(tree)
  if (unfinished.length > 0) return unfinished
  const [dirty, untracked] = await Promise.all([dirtyFiles(tree.path), inTheWay(tree, landing)])
  const files = [...new Set([...dirty, ...untracked.map(({ by }) => by)])]
  return files.length > 0 ? files : rehearse(tree, landing)
}

/** Brings working tree and index from one commit to the other; the index is replaced in one go at the end. */
export async function advance(tree: Tree, landing: Landing): Promise<void> {
  await copyScratch(tree)
  await update(tree, landing)
  await replaceIndex(tree, landing)
}

/**
 * The same after a kill: files that are no longer as they were in `from` are either done or were edited since;
 * both stay as they are. One that is missing is written: git takes a file away before it writes it.
 */
export async function finish(tree: Tree, landing: Landing): Promise<void> {
  await clearScratch(tree)
  await copyScratch(tree)
  const touched = new Set(await changedPaths(tree, landing, []))
  const differing = itemsOf(await inScratch(tree, ['diff', '--name-only', ...plain, landing.from, '--']))
  const settled = await present(
    tree,
    differing.filter((path) => touched.has(path)),
  )
  settled.push(...(await inTheWay(tree, landing)).map(({ path }) => path))
  await inScratch(tree, ['update-index', '-z', '--index-info'], { input: await entriesOf(tree, landing.to, settled) })
  await update(tree, landing)
  await inScratch(tree, ['update-index', '-q', '--refresh'], { accept: [1] })
  await replaceIndex(tree, landing)
}

async function present(tree: Tree, paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => lstat(join(tree.path, path)).then(() => null, codeOf)))
  return paths.filter((_, i) => found[i] !== 'ENOENT')
}

const codeOf = (error: NodeJS.ErrnoException): string | undefined => error.code

/** Not when somebody else has finished this while we slept: then the index may hold what the user did since. */
async function replaceIndex(tree: Tree, landing: Landing): Promise<void> {
  await requireLock(tree, landing)
  await rename(tree.scratch, tree.index)
}

/** Somebody may edit a file this very moment; the next call leaves that file to them. */
async function update(tree: Tree, landing: Landing): Promise<void> {
  await requireLock(tree, landing)
  const args = ['read-tree', '-m', '-u', landing.from, landing.to]
  const output = await inScratch(tree, args, { accept: [128] })
  if (objects.test(output.stderr)) throw new TransientError(`${tree.path} is being changed: ${output.stderr.trim()}`)
  if (output.code !== 0) throw halfWay(tree, landing, failure(args, output))
}

/** The branch has moved, whatever keeps the checkout; the lock stays, for the next call to finish this. */
function halfWay(tree: Tree, { branch, to }: Landing, error: Error): Error {
  if (!(error instanceof TerminalError)) return error
  const moved = `${branch} is at ${to.slice(0, 10)} now, but ${tree.path} could not follow`
  return new TerminalError(`${moved}: ${error.message}`, error.remedy)
}

/** How git says that a file in the working tree would be lost. */
const objects = /would be (?:overwritten|removed)|would lose|not uptodate/

const plain = ['-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all']

async function operations(tree: Tree): Promise<string[]> {
  const names = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']
  const present = await Promise.all(names.map((name) => exists(join(tree.gitDir, name))))
  return names.filter((_, i) => present[i]).map((name) => `(in progress: ${name})`)
}

/** Files that the landing adds where there is something already: git would overwrite what is ignored. */
async function inTheWay(tree: Tree, landing: Landing): Promise<{ path: string; by: string }[]> {
  const [added, removed] = await Promise.all(
    ['A', 'D'].map((kind) => changedPaths(tree, landing, [`--diff-filter=${kind}`])),
  )
  const leaving = new Set(removed)
  const found = await Promise.all(added!.map(async (path) => ({ path, by: await obstacleOf(tree.path, path) })))
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
  return (await isTaken(join(root, path))) ? path : null
}

async function isTaken(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return false
  return !found.isDirectory() || (await readdir(path)).length > 0
}

export async function changedPaths(tree: Tree, landing: Landing, filter: string[]): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', ...filter, landing.from, landing.to]
  return itemsOf(await userGit({ args: ['-C', tree.path, ...args], timeoutMs: bulkTimeoutMs }))
}

/** Git's own opinion, without doing it. */
async function rehearse(tree: Tree, landing: Landing): Promise<string[]> {
  await copyScratch(tree)
  const args = ['read-tree', '-m', '-u', '-n', landing.from, landing.to]
  const output = await inScratch(tree, args, { accept: [128] })
  if (output.code === 0) return []
  if (!objects.test(output.stderr)) throw failure(args, output)
  return [...output.stderr.matchAll(/'(.+?)'/g)].map((match) => match[1]!)
}

/** Index entries of a commit for these paths; a path that it has not is removed. */
async function entriesOf(tree: Tree, commit: string, paths: string[]): Promise<string> {
  if (paths.length === 0) return ''
  const args = ['-C', tree.path, 'ls-tree', '-r', '-z', '--full-tree', commit]
  const listed = itemsOf(await userGit({ args, timeoutMs: bulkTimeoutMs }))
  const entries = new Map(listed.map((item) => [item.slice(item.indexOf('\t') + 1), item]))
  return paths.map((path) => `${entries.get(path) ?? `0 ${'0'.repeat(40)}\t${path}`}\0`).join('')
}

async function copyScratch(tree: Tree): Promise<void> {
  if (await exists(tree.index)) await copyIndex(tree.index, tree.scratch)
}

function inScratch(tree: Tree, args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> {
  const env = { GIT_INDEX_FILE: tree.scratch }
  return userGit({ timeoutMs: bulkTimeoutMs, ...more, args: ['-C', tree.path, ...args], env })
}
