import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bulkTimeoutMs, userGit } from '../run.ts'
import type { Landing, Tree } from './landing.ts'

/**
 * Of files that are neither as they were nor as they should be: those that a git which died has begun to write. It
 * takes a file away, makes it anew and fills it from the beginning, so what it leaves is nothing or a beginning of it;
 * after a power cut there may be zeros for what had not reached the disk.
 */
export async function tornAmong(tree: Tree, landing: Landing, paths: string[]): Promise<string[]> {
  const torn: string[] = []
  for (const path of paths) if (await isTorn(tree, landing, path)) torn.push(path)
  return torn
}

async function isTorn(tree: Tree, { to }: Landing, path: string): Promise<boolean> {
  const found = await lstat(join(tree.path, path)).catch(() => null)
  if (found?.isFile() !== true) return false
  if (found.size === 0) return true
  const [whole, present] = await Promise.all([written(tree, to, path), readFile(join(tree.path, path))])
  const unlike = present.findIndex((byte, at) => byte !== whole[at])
  return present.length <= whole.length && (unlike === -1 || present.subarray(unlike).every((byte) => byte === 0))
}

/** As git would write it into this checkout: with the user's line endings and filters. */
async function written(tree: Tree, commit: string, path: string): Promise<Buffer> {
  const args = ['-C', tree.path, 'cat-file', '--filters', `${commit}:${path}`]
  return (await userGit({ args, timeoutMs: bulkTimeoutMs })).stdout
}
