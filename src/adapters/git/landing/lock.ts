import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { TransientError } from '../../../ports/errors.ts'
import type { Landing, Tree } from './landing.ts'

/** Holds a checkout's index.lock, as git itself would; its text says for what. */
export async function takeLock(tree: Tree, landing: Landing): Promise<void> {
  await clearScratch(tree)
  if (tree.interrupted) return
  // Written elsewhere and linked, so that it is never there without its text.
  await writeFile(tree.scratch, textOf(landing))
  try {
    await link(tree.scratch, tree.lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new TransientError(`${tree.lock} is held: another git process works in ${tree.path}`)
  } finally {
    await rm(tree.scratch, { force: true })
  }
}

/** True when the lock is left from a landing of exactly this, which was killed. */
export async function isOurLock(lock: string, landing: Landing): Promise<boolean> {
  return (await readFile(lock, 'utf8').catch(() => '')) === textOf(landing)
}

export async function releaseLock(tree: Tree, landing: Landing): Promise<void> {
  await clearScratch(tree)
  if (await isOurLock(tree.lock, landing)) await rm(tree.lock, { force: true })
}

/** Somebody who took this over while we were stopped has released it: what follows is not ours to do. */
export async function requireLock(tree: Tree, landing: Landing): Promise<void> {
  if (!(await isOurLock(tree.lock, landing))) throw new TransientError(`the lock of ${tree.path} was taken from us`)
}

/** Also what a killed landing has left of it. */
export async function clearScratch(tree: Tree): Promise<void> {
  for (const path of [tree.scratch, `${tree.scratch}.lock`]) await rm(path, { force: true })
}

const textOf = (landing: Landing): string => `ropewalk lands ${landing.branch} ${landing.from} ${landing.to}\n`
