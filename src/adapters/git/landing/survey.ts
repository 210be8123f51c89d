import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tell } from '../../../std/running/telling.ts'
import { isRemoved } from '../objects.ts'
import { bulkTimeoutMs, itemsOf, userGit } from '../program/run.ts'
import { changesOf, inScratch, inTheWay, learnAges, putEntries, scratchEntries } from './advance.ts'
import type { BranchMove, LandedTree } from './checkouts.ts'

/** Each file that a killed landing was to change, by what has become of it; those left out are as they were before. */
export interface Survey {
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
