import { rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { TerminalError, TransientError } from '../../../ports/errors.ts'
import { exists } from '../clone.ts'
import { isRemoved } from '../objects.ts'
import { DiedError, failedCall } from '../program/failures.ts'
import { bulkTimeoutMs, itemsOf, userGit } from '../program/run.ts'
import { dirtyIn, statusArgs } from '../user-repository.ts'
import { type BranchMove, clearScratch, type LandedTree, makeDurable, requireLock } from './checkouts.ts'
import {
  changesOf,
  copyScratch,
  inScratch,
  inTheWay,
  learnAges,
  putEntries,
  scratchEntries,
  survey,
  tellMended,
} from './survey.ts'

/** What keeps this checkout from following the branch; empty when it may. Nothing is changed but our copy of the index. */
export async function obstacles(tree: LandedTree, landing: BranchMove): Promise<string[]> {
  const unfinished = await operations(tree)
  if (unfinished.length > 0) return unfinished
  await copyScratch(tree)
  const changes = await changesOf(tree, landing)
  // It may write our copy, which knows of all ages then.
  const status = inScratch(tree, statusArgs, { env: { GIT_OPTIONAL_LOCKS: '1' } })
  const [dirty, untracked] = await Promise.all([status.then(dirtyIn), inTheWay(tree, changes)])
  const files = [...new Set([...dirty, ...untracked.map(({ by }) => by)])]
  return files.length > 0 ? files : rehearse(tree, landing)
}

/** Brings working tree and index from one commit to the other; the index is replaced in one go at the end. */
export async function advance(tree: LandedTree, landing: BranchMove): Promise<void> {
  try {
    await update(tree, landing)
  } catch (error) {
    if (!(error instanceof DiedError)) throw error
    return await finish(tree, landing)
  }
  await replaceIndex(tree, landing, await pathsOf(tree, landing))
}

const pathsOf = async (tree: LandedTree, landing: BranchMove): Promise<string[]> =>
  (await changesOf(tree, landing)).map(({ path }) => path)

const mostDeaths = 3

/**
 * The same after a kill, or when git died: files that are no longer as they were in `from` are done, half-written by
 * the git that died, or were edited since. The half-written ones are written anew, and so is one that is missing: git
 * takes a file away before it writes it. What somebody has edited stays, also what they have staged.
 */
export async function finish(tree: LandedTree, landing: BranchMove, deaths = 0): Promise<void> {
  await clearScratch(tree)
  await copyScratch(tree)
  await learnAges(tree)
  const { touched, torn, missing, edited, staged } = await survey(tree, landing)
  for (const path of torn) await rm(join(tree.path, path))
  await putEntries(tree, await scratchEntries(tree, landing.from, torn))
  try {
    await update(tree, landing)
  } catch (error) {
    if (!(error instanceof DiedError) || deaths >= mostDeaths) throw error
    return await finish(tree, landing, deaths + 1)
  }
  await learnAges(tree)
  await putEntries(tree, staged.map((entry) => `${entry}\0`).join(''))
  await replaceIndex(tree, landing, touched)
  tellMended(tree, { finished: [...torn, ...missing], edited })
}

/** Not when somebody else has finished this while we slept: then the index may hold what the user did since. */
async function replaceIndex(tree: LandedTree, landing: BranchMove, touched: string[]): Promise<void> {
  // An index that has followed says that every file has, also after a power cut.
  await makeDurable(tree.path, touched)
  await requireLock(tree, landing)
  await rename(tree.scratch, tree.index)
}

/** Somebody may edit a file this very moment; the next call leaves that file to them. */
async function update(tree: LandedTree, landing: BranchMove): Promise<void> {
  await requireLock(tree, landing)
  const args = ['read-tree', '-m', '-u', landing.from, landing.to]
  const output = await inScratch(tree, args, { accept: [128], once: true })
  if (objects.test(output.stderr)) throw new TransientError(`${tree.path} is being changed: ${output.stderr.trim()}`)
  if (output.code !== 0) throw halfWay(tree, landing, failedCall(args, output))
}

/** The branch has moved, whatever keeps the checkout; the lock stays, for the next call to finish this. */
function halfWay(tree: LandedTree, { branch, to }: BranchMove, error: Error): Error {
  if (!(error instanceof TerminalError)) return error
  const moved = `${branch} is at ${to.slice(0, 10)} now, but ${tree.path} could not follow`
  return new TerminalError(`${moved}: ${error.message}`, error.remedy)
}

/** How git says that a file in the working tree would be lost. */
const objects = /would be (?:overwritten|removed)|would lose|not uptodate/

async function operations(tree: LandedTree): Promise<string[]> {
  const names = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'rebase-merge', 'rebase-apply']
  const present = await Promise.all(names.map((name) => exists(join(tree.gitDir, name))))
  return names.filter((_, i) => present[i]).map((name) => `(in progress: ${name})`)
}

/** Git's own opinion, without doing it. */
async function rehearse(tree: LandedTree, landing: BranchMove): Promise<string[]> {
  // The copy is ours alone: what locks it was left by a git that died.
  await rm(`${tree.scratch}.lock`, { force: true })
  const args = ['read-tree', '-m', '-u', '-n', landing.from, landing.to]
  const output = await inScratch(tree, args, { accept: [128] })
  if (output.code === 0) return []
  if (!objects.test(output.stderr)) throw failedCall(args, output)
  return [...output.stderr.matchAll(/'(.+?)'/g)].map((match) => match[1]!)
}

const mostPaths = 200

/**
 * What git says of a file that lands and that a filter of the user fails for (Git LFS that is not installed); null: all
 * can be written. Each is filtered for real, into nothing: once the branch has moved it would be too late to find out.
 */
export async function failingFilter(tree: LandedTree, landing: BranchMove): Promise<string | null> {
  const paths = await filteredPaths(tree, landing)
  for (let at = 0; at < paths.length; at += mostPaths) {
    // Unlike other commands, this one goes by the attributes of the commit, which the landing may bring.
    const args = ['archive', '--format=tar', '--output=/dev/null', landing.to, '--', ...paths.slice(at, at + mostPaths)]
    const output = await userGit({ args: ['-C', tree.path, ...args], accept: [128], timeoutMs: bulkTimeoutMs })
    if (output.code === 0) continue
    const said = /^fatal: (.+: smudge filter .+ failed)$/m.exec(output.stderr)
    if (said === null) throw failedCall(args, output)
    return said[1]!
  }
  return null
}

/** Those that a filter may be for. */
async function filteredPaths(tree: LandedTree, landing: BranchMove): Promise<string[]> {
  const filters = ['config', '--get-regexp', '^filter\\..*\\.(smudge|process)$']
  if ((await userGit({ args: ['-C', tree.path, ...filters], accept: [1] })).code !== 0) return []
  const paths = (await changesOf(tree, landing)).filter((one) => !isRemoved(one)).map(({ path }) => path)
  // What the checkout says of attributes holds until they are what lands.
  if (paths.some((path) => basename(path) === '.gitattributes')) return paths
  const asked = ['-C', tree.path, 'check-attr', '-z', '--stdin', 'filter']
  const input = paths.map((path) => `${path}\0`).join('')
  const items = itemsOf(await userGit({ args: asked, input, timeoutMs: bulkTimeoutMs }))
  return paths.filter((_, i) => !['unspecified', 'unset', 'set'].includes(items[i * 3 + 2]!))
}
