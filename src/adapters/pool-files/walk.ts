import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breath } from 'node:timers/promises'
import { TerminalError } from '../../ports/errors.ts'

export interface Seen {
  /** Below the root, with slashes. */
  path: string
  stat: Stats
}

/** Everything below a folder in a fixed order, links not followed; `enter` says which folders are looked into. */
export async function walk(root: string, enter: (path: string) => boolean = () => true): Promise<Seen[]> {
  const found: Seen[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    // The synchronous calls are three times faster; others get their turn between folders.
    if (found.length % 64 < 8) await breath()
    for (const name of namesIn(join(root, folder)).sort()) {
      const path = folder === '' ? name : `${folder}/${name}`
      const stat = lstatSync(join(root, path), { throwIfNoEntry: false })
      // What vanishes meanwhile is not there.
      if (stat === undefined) continue
      found.push({ path, stat })
      if (stat.isDirectory() && enter(path)) folders.push(path)
    }
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!['EACCES', 'EPERM'].includes(code)) throw error
    const remedy = 'Let "setup" in the settings leave only folders that this user may read.'
    throw new TerminalError(`${folder} may not be read`, remedy)
  }
}

/** Not the root's own, which belongs to git. */
export const notGit = (path: string): boolean => path !== '.git'

/**
 * One line for each thing. The time of change cannot be set back by whoever writes a file, so a difference shows even
 * where size and age were kept.
 */
export const fileLine = (root: string, { path, stat }: Seen): string => {
  const target = stat.isSymbolicLink() ? readlinkSync(join(root, path)) : ''
  const size = stat.isDirectory() ? 0 : stat.size
  return [path, stat.mode, size, stat.mtimeMs, stat.ctimeMs, stat.ino, target].join('\0')
}

export const bytesOf = (seen: Seen[]): number => seen.reduce((sum, { stat }) => sum + stat.blocks * 512, 0)
