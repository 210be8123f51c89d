import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tell } from '../../../std/running.ts'
import { exists } from '../clone.ts'
import { changesBetween, isAdded, isRemoved, type TreeChange } from '../objects.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, itemsOf, userGit } from '../program/run.ts'
import { copyIndex } from '../workspace/agent-git.ts'
import type { BranchMove, LandedTree } from './checkouts.ts'

/** Each file that a killed landing was to change, by what has become of it; those left out are as they were before. */
interface Survey {
  touched: string[]
  /** Half-written by us. */
  torn: string[]
  missing: string[]
  /** By somebody, since. */
  edited: string[]
  /** Index entries that are of neither commit: what somebody has staged since, and must find again. */
  staged: string[]
}

/** Our copy of the index knows afterwards of all that are not as before that they are done. */
export async function survey(tree: LandedTree, landing: BranchMove): Promise<Survey> {
  const changes = await changesOf(tree, landing)
  const touched = changes.map(({ path }) => path)
  const staged = await stagedEntries(tree, landing, touched)
  await putEntries(tree, await scratchEntries(tree, landing.from, staged.map(pathOf)))
  const changed = await differing(tree, ['diff', landing.from], touched)
  const gone = await absent(tree, changed)
  const found = [...without(changed, gone), ...(await inTheWay(tree, changes)).map(({ path }) => path)]
  const removed = new Set(changes.filter(isRemoved).map(({ path }) => path))
  await putEntries(tree, await scratchEntries(tree, landing.to, found))
  // Otherwise all whose age it does not know would differ.
  await learnAges(tree)
  const neither = await differing(tree, ['diff-files'], found)
  const torn = await tornAmong(tree, landing, neither)
  const edited = [...without(neither, torn), ...found.filter((path) => removed.has(path))]
  const missing = gone.filter((path) => !removed.has(path))
  return { touched, torn, edited, staged, missing }
}

/**
 * True when the index of a checkout has not followed yet. It is replaced at once, after all files: as long as it knows
 * nothing of what lands, they may be half-written.
 */
export async function isUnfinished(tree: LandedTree, landing: BranchMove): Promise<boolean> {
  const touched = (await changesOf(tree, landing)).map(({ path }) => path)
  const { unlikeFrom, unlikeTo } = await compareIndex(tree, landing, touched)
  return unlikeTo.length === touched.length && unlikeFrom.length < touched.length
}

export function tellMended(tree: LandedTree, { finished, edited }: { finished: string[]; edited: string[] }): void {
  if (finished.length > 0)
    tell(`a landing that was killed had left half-written in ${tree.path}: ${named(finished)}; that is finished now`)
  if (edited.length > 0) tell(`edited in ${tree.path} since a landing was killed, and left as it is: ${named(edited)}`)
}

const named = (paths: string[]): string =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`

/** Of neither commit, as the user's own index has them. */
async function stagedEntries(tree: LandedTree, landing: BranchMove, touched: string[]): Promise<string[]> {
  const { index, unlikeFrom, unlikeTo } = await compareIndex(tree, landing, touched)
  const own = unlikeTo.filter((path) => unlikeFrom.includes(path))
  return own.map((path) => index.get(path) ?? `0 ${'0'.repeat(40)}\t${path}`)
}

/** The user's own index, and which of these files it does not have as one of the two commits does. */
async function compareIndex(tree: LandedTree, landing: BranchMove, touched: string[]) {
  const listed = itemsOf(await userGit({ args: ['-C', tree.path, 'ls-files', '-s', '-z'], timeoutMs: bulkTimeoutMs }))
  const index = new Map(listed.map((entry) => [pathOf(entry), entry]))
  const unlike = async (commit: string): Promise<string[]> => {
    const root = (await tree.objects.commit(commit)).tree
    const entries = await Promise.all(touched.map((path) => tree.objects.entryAt(root, path)))
    return touched.filter((path, at) => {
      const entry = entries[at]
      return index.get(path) !== (entry ? `${entry.mode} ${entry.object} 0\t${path}` : undefined)
    })
  }
  return { index, unlikeFrom: await unlike(landing.from), unlikeTo: await unlike(landing.to) }
}

/** In the working tree. */
async function differing(tree: LandedTree, [verb, ...from]: string[], among: string[]): Promise<string[]> {
  const plain = ['-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all']
  const found = new Set(itemsOf(await inScratch(tree, [verb!, '--name-only', ...plain, ...from, '--'])))
  return among.filter((path) => found.has(path))
}

async function absent(tree: LandedTree, paths: string[]): Promise<string[]> {
  const codeOf = (error: NodeJS.ErrnoException): string | undefined => error.code
  const found = await Promise.all(paths.map((path) => lstat(join(tree.path, path)).then(() => null, codeOf)))
  return paths.filter((_, i) => found[i] === 'ENOENT')
}

const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1)

function without(paths: string[], others: string[]): string[] {
  const set = new Set(others)
  return paths.filter((path) => !set.has(path))
}

/**
 * Of files that are neither as they were nor as they should be: those that a git which died has begun to write. It
 * takes a file away, makes it anew and fills it from the beginning, so what it leaves is nothing or a beginning of it;
 * after a power cut there may be zeros for what had not reached the disk.
 */
async function tornAmong(tree: LandedTree, landing: BranchMove, paths: string[]): Promise<string[]> {
  const torn: string[] = []
  for (const path of paths) if (await isTorn(tree, landing, path)) torn.push(path)
  return torn
}

async function isTorn(tree: LandedTree, { to }: BranchMove, path: string): Promise<boolean> {
  const found = await lstat(join(tree.path, path)).catch(() => null)
  if (found?.isFile() !== true) return false
  if (found.size === 0) return true
  // As git would write it into this checkout: with the user's line endings and filters.
  const args = ['-C', tree.path, 'cat-file', '--filters', `${to}:${path}`]
  const { stdout: whole } = await userGit({ args, timeoutMs: bulkTimeoutMs })
  const present = await readFile(join(tree.path, path))
  const unlike = present.findIndex((byte, at) => byte !== whole[at])
  return present.length <= whole.length && (unlike === -1 || present.subarray(unlike).every((byte) => byte === 0))
}

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
