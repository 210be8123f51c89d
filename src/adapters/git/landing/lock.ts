import { link, open, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { CommitId } from '../../../delivery/ids.ts'
import { TransientError } from '../../../ports/errors.ts'
import { hasEnded, ownIdentity } from '../../../std/running/identity.ts'
import type { Clone } from '../clone.ts'
import type { Objects } from '../objects/reader.ts'
import { heldLock } from '../program/failures.ts'

export interface BranchMove {
  branch: string
  from: CommitId
  to: CommitId
}

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

export interface LandingRequest extends BranchMove {
  /** Checkouts that an earlier start of the same landing began to change; null: none was about to. */
  begunIn?: string[] | null
  /** Puts on record which checkouts are about to change; nothing does before it has returned. */
  begins?: (checkouts: string[]) => Promise<void>
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
