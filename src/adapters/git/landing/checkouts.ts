import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { TransientError } from '../../../ports/errors.ts'
import { hasEnded, ownIdentity } from '../../../std/running.ts'
import type { AskedOf, Clone } from '../clone.ts'
import type { Objects } from '../objects.ts'
import { heldLock } from '../program/failures.ts'

export type LandingRequest = AskedOf<'land'>
export type BranchMove = Pick<LandingRequest, 'branch' | 'from' | 'to'>

/** One checkout of the branch that is landed on: the main one or a linked worktree. */
export interface LandedTree {
  path: string
  gitDir: string
  index: string
  lock: string
  /** What the user's repository holds. */
  objects: Objects
  /** Our copy of the index while we work on it; another landing that tries at the same time has its own. */
  scratch: string
  /** A landing of the same was killed here. */
  interrupted: boolean
  /** Another landing was, and whoever did it has ended. */
  left: BranchMove | null
}

/** Holds a checkout's index.lock, as git itself would; its text says for what, and who does it. */
export async function takeLock(tree: LandedTree, landing: BranchMove): Promise<void> {
  await clearScratch(tree)
  if (tree.interrupted) return
  // Written elsewhere and linked, so that it is never there without its text, not even after a power cut.
  await writeFile(tree.scratch, `${lineOf(landing)}\nby ${ownIdentity()}\n`, { flush: true })
  try {
    await link(tree.scratch, tree.lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if ((await readLock(tree.lock)) !== null) throw new TransientError(`another landing is at work in ${tree.path}`)
    throw heldLock(tree.lock)
  } finally {
    await rm(tree.scratch, { force: true })
  }
  await makeDurable(dirname(tree.lock), ['index.lock'])
}

/** The landing that a checkout's lock is for, and whether whoever does it has ended; null: it is no lock of ours. */
export async function readLock(lock: string): Promise<{ landing: BranchMove; ended: boolean } | null> {
  const [line = '', by = ''] = (await readFile(lock, 'utf8').catch(() => '')).split('\n')
  const found = /^ropewalk lands (.+) ([0-9a-f]{40}) ([0-9a-f]{40})$/.exec(line)
  if (found === null) return null
  const [, branch, from, to] = found
  return { landing: { branch: branch!, from: from!, to: to! }, ended: hasEnded(by.replace(/^by /, '')) }
}

/** True when the lock is left from a landing of exactly this, which was killed. */
export async function isOurLock(lock: string, landing: BranchMove): Promise<boolean> {
  const found = await readLock(lock)
  return found !== null && lineOf(found.landing) === lineOf(landing)
}

export async function releaseLock(tree: LandedTree, landing: BranchMove): Promise<void> {
  await clearScratch(tree)
  if (await isOurLock(tree.lock, landing)) await rm(tree.lock, { force: true })
}

/** Somebody who took this over while we were stopped has released it: what follows is not ours to do. */
export async function requireLock(tree: LandedTree, landing: BranchMove): Promise<void> {
  if (!(await isOurLock(tree.lock, landing))) throw new TransientError(`the lock of ${tree.path} was taken from us`)
}

/** Also what a killed landing has left of it. */
export async function clearScratch(tree: LandedTree): Promise<void> {
  for (const path of [tree.scratch, `${tree.scratch}.lock`]) await rm(path, { force: true })
}

const lineOf = ({ branch, from, to }: BranchMove): string => `ropewalk lands ${branch} ${from} ${to}`

/** Git holds the lock of a ref for moments. */
const longestMs = 3_000

/**
 * A git that died while it moved the branch for a killed landing leaves the locks of the branch and of HEAD, and nobody
 * could commit any more. Ours are those that hold the commit that lands, or nothing, and were made after our lock.
 */
export async function dropRefLocks(clone: Clone, tree: LandedTree | null, landing: BranchMove): Promise<void> {
  const begun = tree === null ? { mtimeMs: 0 } : await stat(tree.lock).catch(() => null)
  if (begun === null) return
  const branch = join(clone.commonDir, 'refs/heads', `${landing.branch}.lock`)
  for (const lock of tree === null ? [branch] : [branch, join(tree.gitDir, 'HEAD.lock')]) {
    const found = await stat(lock).catch(() => null)
    if (found === null || found.mtimeMs < begun.mtimeMs) continue
    await wait(Math.max(0, Math.min(longestMs, found.mtimeMs + longestMs - Date.now())))
    const text = await readFile(lock, 'utf8').catch(() => null)
    if (text === '' || text?.trim() === landing.to) await rm(lock, { force: true })
  }
}

const atOnce = 32

/** So that a power cut finds these files, and their names, as they are now. What is not there need not be. */
export async function makeDurable(root: string, paths: string[]): Promise<void> {
  const all = paths.map((path) => join(root, path))
  await each(all, sync)
  await each([...new Set(all.map(dirname))], sync)
}

async function each(paths: string[], act: (path: string) => Promise<void>): Promise<void> {
  const left = [...paths]
  const worker = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) await act(path)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, worker))
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => null)
  // Some file systems have no such thing for folders.
  await file?.sync().catch(() => undefined)
  await file?.close()
}

/** All checkouts of the branch: the main one, and linked worktrees. */
export async function treesOn(clone: Clone, landing: BranchMove): Promise<LandedTree[]> {
  const linked = await Promise.all((await linkedGitDirs(clone)).map(checkoutOf))
  // A main checkout whose git directory lies elsewhere, as a submodule's does, is only known by where we are.
  const listed = [...new Set([...(await mainCheckout(clone)), ...linked.flat(), clone.user])]
  const trees = (await Promise.all(listed.map((path) => readTree(clone, path, landing)))).flat()
  const heads = await Promise.all(trees.map((tree) => textOf(join(tree.gitDir, 'HEAD'))))
  return trees.filter((_, i) => heads[i] === `ref: refs/heads/${landing.branch}`)
}

/** Where the branch is being rebased, which git shows as a detached HEAD; null: nowhere. */
export async function rebasing(clone: Clone, branch: string): Promise<string | null> {
  for (const gitDir of [clone.commonDir, ...(await linkedGitDirs(clone))])
    for (const kind of ['rebase-merge', 'rebase-apply'])
      if ((await textOf(join(gitDir, kind, 'head-name'))) === `refs/heads/${branch}`) return gitDir
  return null
}

async function linkedGitDirs({ commonDir }: Clone): Promise<string[]> {
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  return names.map((name) => join(commonDir, 'worktrees', name))
}

/** None when nobody has said where it is. */
async function checkoutOf(linked: string): Promise<string[]> {
  const dotGit = await textOf(join(linked, 'gitdir'))
  return dotGit === '' ? [] : [dirname(resolve(linked, dotGit))]
}

async function mainCheckout({ commonDir }: Clone): Promise<string[]> {
  const isBare = /^\s*bare\s*=\s*true\s*$/im.test(await textOf(join(commonDir, 'config')))
  return isBare || basename(commonDir) !== '.git' ? [] : [dirname(commonDir)]
}

/** None for a worktree whose folder somebody has removed. */
async function readTree({ theirs: objects }: Clone, path: string, landing: BranchMove): Promise<LandedTree[]> {
  const dotGit = join(path, '.git')
  const found = await stat(dotGit).catch(() => null)
  if (found === null) return []
  const gitDir = found.isDirectory() ? dotGit : resolve(path, (await textOf(dotGit)).replace(/^gitdir: /, ''))
  const index = join(gitDir, 'index')
  const lock = `${index}.lock`
  const scratch = `${index}.ropewalk-${landing.to}`
  const interrupted = await isOurLock(lock, landing)
  const other = interrupted ? null : await readLock(lock)
  const left = other?.ended === true ? other.landing : null
  return [{ path, gitDir, index, lock, objects, scratch, interrupted, left }]
}

/** Without the end of its last line; empty where there is none. */
const textOf = async (path: string): Promise<string> =>
  (await readFile(path, 'utf8').catch(() => '')).replace(/\r?\n$/, '')
