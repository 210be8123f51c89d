import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeTree } from '../../../std/remove-tree.ts'
import { type Clone, recordPath } from '../clone.ts'
import { itemsOf } from '../run.ts'
import { gitIn } from './snapshot.ts'

/** Keeps a place that nobody uses any more, because git brings it to another commit faster than it writes a new one. */
export async function keepSpare(clone: Clone, path: string): Promise<void> {
  const folder = dirname(path)
  const spare = join(folder, `spare-${randomBytes(6).toString('hex')}`)
  await move(clone, path, spare)
  clone.spares.set(folder, [...(clone.spares.get(folder) ?? []), spare])
}

/** Puts a spare place there, with nothing in it but tracked files; false: there is none. */
export async function takeSpare(clone: Clone, path: string): Promise<boolean> {
  const spare = clone.spares.get(dirname(path))?.pop()
  if (spare === undefined) return false
  await move(clone, spare, path)
  await sweep(clone, path)
  return true
}

async function move(clone: Clone, from: string, to: string): Promise<void> {
  await rename(from, to)
  await rename(recordPath(clone, from, 'index'), recordPath(clone, to, 'index'))
}

/**
 * Not `git clean`, which passes over every .git. Which texts have changed git sees when it reads the next commit;
 * rights and links it may not look at.
 */
async function sweep(clone: Clone, path: string): Promise<void> {
  const files = new Set(itemsOf(await gitIn(clone, path)(['ls-files', '-z'])))
  const folders = new Set([...files].flatMap(parentsOf))
  await sweepFolder(path, '', { files, folders })
}

interface Tracked {
  files: Set<string>
  folders: Set<string>
}

async function sweepFolder(root: string, below: string, tracked: Tracked): Promise<void> {
  await Promise.all(
    (await readdir(join(root, below))).map(async (entry) => {
      const name = below === '' ? entry : `${below}/${entry}`
      const path = join(root, name)
      const stat = await lstat(path)
      if (tracked.folders.has(name) && stat.isDirectory() && isOpen(stat)) await sweepFolder(root, name, tracked)
      else if (!tracked.files.has(name) || !isAlone(stat)) await removeTree(path)
    }),
  )
}

const isOpen = ({ mode }: Stats): boolean => (mode & 0o700) === 0o700

const isAlone = (stat: Stats): boolean =>
  stat.isSymbolicLink() || (stat.isFile() && stat.nlink === 1 && (stat.mode & 0o600) === 0o600)

function parentsOf(file: string): string[] {
  const names = file.split('/').slice(0, -1)
  return names.map((_, depth) => names.slice(0, depth + 1).join('/'))
}
