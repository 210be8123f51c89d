import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clone } from '../clone.ts'
import type { Landing, Tree } from './landing.ts'

/** Git holds the lock of a ref for moments. */
const longestMs = 3_000

/**
 * A git that died while it moved the branch for a killed landing leaves the locks of the branch and of HEAD, and nobody
 * could commit any more. Ours are those that hold the commit that lands, or nothing, and were made after our lock.
 */
export async function dropRefLocks(clone: Clone, tree: Tree | null, landing: Landing): Promise<void> {
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
