import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Landing, Tree } from './landing.ts'
import { changedPaths } from './scratch.ts'

/** Files that the landing adds where there is something already: git would overwrite what is ignored. */
export async function inTheWay(tree: Tree, landing: Landing): Promise<{ path: string; by: string }[]> {
  const [added, removed] = await Promise.all(
    ['A', 'D'].map((kind) => changedPaths(tree, landing, [`--diff-filter=${kind}`])),
  )
  const leaving = new Set(removed)
  const found = await Promise.all(added!.map(async (path) => ({ path, by: await obstacleOf(tree.path, path) })))
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
  return (await isTaken(join(root, path))) ? path : null
}

async function isTaken(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return false
  return !found.isDirectory() || (await readdir(path)).length > 0
}
