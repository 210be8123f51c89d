import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const notOurs = new Set(['.git', 'node_modules'])
const mostEntries = 50_000

/** Whether anything under the folder was made, changed or removed since. Links are not followed; large trees are not searched to their end. */
export async function changedSince(folder: string, sinceMs: number): Promise<boolean> {
  const folders = [folder]
  let seen = 0
  for (let current = folders.shift(); current !== undefined && seen < mostEntries; current = folders.shift()) {
    if (await isChanged(current, sinceMs)) return true
    for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
      if (++seen > mostEntries || notOurs.has(entry.name)) continue
      const path = join(current, entry.name)
      if (entry.isDirectory()) folders.push(path)
      else if (await isChanged(path, sinceMs)) return true
    }
  }
  return false
}

/** By the time of the last change that nobody can set back. */
async function isChanged(path: string, sinceMs: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => null)
  return stat !== null && stat.ctimeMs > sinceMs
}
