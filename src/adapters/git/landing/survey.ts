import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { tell } from '../../../std/running/telling.ts'
import { itemsOf, userGit } from '../run.ts'
import { inTheWay } from './in-the-way.ts'
import type { Landing, Tree } from './landing.ts'
import { changedPaths, entriesOf, inScratch, learnAges, putEntries } from './scratch.ts'
import { tornAmong } from './torn.ts'

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
export async function survey(tree: Tree, landing: Landing): Promise<Survey> {
  const touched = await changedPaths(tree, landing, [])
  const staged = await stagedEntries(tree, landing)
  await putEntries(tree, await entriesOf(tree, landing.from, staged.map(pathOf)))
  const changed = await differing(tree, ['diff', landing.from], touched)
  const gone = await absent(tree, changed)
  const found = [...without(changed, gone), ...(await inTheWay(tree, landing)).map(({ path }) => path)]
  const removed = new Set(await changedPaths(tree, landing, ['--diff-filter=D']))
  await putEntries(tree, await entriesOf(tree, landing.to, found))
  // Otherwise all whose age it does not know would differ.
  await learnAges(tree)
  const neither = await differing(tree, ['diff-files'], found)
  const torn = await tornAmong(tree, landing, neither)
  const edited = [...without(neither, torn), ...found.filter((path) => removed.has(path))]
  return {
    ...{ touched, torn, edited, staged },
    missing: gone.filter((path) => !removed.has(path)),
  }
}

/**
 * True when the index of a checkout has not followed yet. It is replaced at once, after all files: as long as it knows
 * nothing of what lands, they may be half-written.
 */
export async function isUnfinished(tree: Tree, landing: Landing): Promise<boolean> {
  const touched = await changedPaths(tree, landing, [])
  const unlike = async (commit: string): Promise<number> => (await indexUnlike(tree, commit, touched)).length
  return (await unlike(landing.to)) === touched.length && (await unlike(landing.from)) < touched.length
}

export function tellMended(tree: Tree, { finished, edited }: { finished: string[]; edited: string[] }): void {
  if (finished.length > 0)
    tell(`a landing that was killed had left half-written in ${tree.path}: ${named(finished)}; that is finished now`)
  if (edited.length > 0) tell(`edited in ${tree.path} since a landing was killed, and left as it is: ${named(edited)}`)
}

const named = (paths: string[]): string =>
  `${paths.slice(0, 5).join(', ')}${paths.length > 5 ? ` and ${paths.length - 5} more` : ''}`

/** Of neither commit, as the user's own index has them. */
async function stagedEntries(tree: Tree, landing: Landing): Promise<string[]> {
  const touched = await changedPaths(tree, landing, [])
  const known = new Set(await indexUnlike(tree, landing.from, touched))
  const own = (await indexUnlike(tree, landing.to, touched)).filter((path) => known.has(path))
  if (own.length === 0) return []
  const listed = itemsOf(await userGit({ args: ['-C', tree.path, 'ls-files', '-s', '-z'] }))
  const entries = new Map(listed.map((entry) => [pathOf(entry), entry]))
  return own.map((path) => entries.get(path) ?? `0 ${'0'.repeat(40)}\t${path}`)
}

async function indexUnlike(tree: Tree, commit: string, touched: string[]): Promise<string[]> {
  const args = ['-C', tree.path, 'diff-index', '--cached', '--name-only', ...plain, commit]
  return among(itemsOf(await userGit({ args })), touched)
}

/** In the working tree. */
async function differing(tree: Tree, [verb, ...from]: string[], among_: string[]): Promise<string[]> {
  return among(itemsOf(await inScratch(tree, [verb!, '--name-only', ...plain, ...from, '--'])), among_)
}

const plain = ['-z', '--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all']

async function absent(tree: Tree, paths: string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => lstat(join(tree.path, path)).then(() => null, codeOf)))
  return paths.filter((_, i) => found[i] === 'ENOENT')
}

const codeOf = (error: NodeJS.ErrnoException): string | undefined => error.code

const pathOf = (entry: string): string => entry.slice(entry.indexOf('\t') + 1)

function among(paths: string[], these: string[]): string[] {
  const set = new Set(these)
  return paths.filter((path) => set.has(path))
}

function without(paths: string[], others: string[]): string[] {
  const set = new Set(others)
  return paths.filter((path) => !set.has(path))
}
