import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TransientError } from '../../../ports/errors.ts'
import { hasEnded, ownIdentity } from '../../../std/running/identity.ts'
import { heldLock } from '../failures.ts'
import { makeDurable } from './durable.ts'
import type { Landing, Tree } from './landing.ts'

/** Holds a checkout's index.lock, as git itself would; its text says for what, and who does it. */
export async function takeLock(tree: Tree, landing: Landing): Promise<void> {
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
export async function readLock(lock: string): Promise<{ landing: Landing; ended: boolean } | null> {
  const [line = '', by = ''] = (await readFile(lock, 'utf8').catch(() => '')).split('\n')
  const found = /^ropewalk lands (.+) ([0-9a-f]{40}) ([0-9a-f]{40})$/.exec(line)
  if (found === null) return null
  const [, branch, from, to] = found
  return { landing: { branch: branch!, from: from!, to: to! }, ended: hasEnded(by.replace(/^by /, '')) }
}

/** True when the lock is left from a landing of exactly this, which was killed. */
export async function isOurLock(lock: string, landing: Landing): Promise<boolean> {
  const found = await readLock(lock)
  return found !== null && lineOf(found.landing) === lineOf(landing)
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

const lineOf = ({ branch, from, to }: Landing): string => `ropewalk lands ${branch} ${from} ${to}`
