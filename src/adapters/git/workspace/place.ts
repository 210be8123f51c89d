import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { borrowedObjects, type Snapshot } from '../../../ports/repository/workspaces.ts'
import { removeTree } from '../../../std/files.ts'
import { type AskedOf, type Clone, exists, recordPath, requireOwnSettings } from '../clone.ts'
import { asCommit, commitTree, treeOf } from '../commit.ts'
import { changesBetween } from '../objects.ts'
import { singleLine } from '../program/run.ts'
import { copyIndex, layGit } from './agent-git.ts'
import { ageFiles, gitIn, indexedPaths } from './snapshot.ts'

/** Written afresh by git, so no file in it is a link to one in a workspace. */
export async function exportTree(clone: Clone, commit: CommitId, path: string): Promise<void> {
  await requireOwnSettings(clone)
  await removePlace(clone, path)
  const fill = (): Promise<unknown> => gitIn(clone, path)(['read-tree', '--reset', '-u', asCommit(commit)])
  try {
    if (await takeSpare(clone, path)) return void (await fill())
  } catch {
    // Somebody has done something to it that we cannot undo: it goes.
    await removePlace(clone, path)
  }
  await mkdir(path, { recursive: true })
  await fill()
}

export async function leavePlace(clone: Clone, path: string): Promise<void> {
  await keepSpare(clone, path).catch(() => removePlace(clone, path))
}

/** A plain .git on the branch, and no file younger than the commit: what a checkout of the user's looks like. */
export async function dressPlace(clone: Clone, { path, commit, branch }: AskedOf<'dressPlace'>): Promise<void> {
  const git = join(path, '.git')
  const index = recordPath(clone, path, 'index')
  await rm(git, { recursive: true, force: true })
  await mkdir(join(path, borrowedObjects), { recursive: true })
  await Promise.all([
    layGit(clone, git, { branch, commit, borrows: 'borrowed' }),
    clone.objects.commit(commit).then(({ at }) => ageFiles(path, index, at)),
  ])
  await copyIndex(index, join(git, 'index'))
}

/** Takes the given paths as they are in the place, the rest as it is in the commit. */
export async function commitPlace(
  clone: Clone,
  request: AskedOf<'commitPlace'>,
): Promise<Snapshot & { changed: string[] }> {
  const index = recordPath(clone, request.path, 'index')
  const git = gitIn(clone, request.path)
  const env = { GIT_INDEX_FILE: `${index}.taking` }
  if (await exists(index)) await copyIndex(index, env.GIT_INDEX_FILE)
  else await git(['read-tree', asCommit(request.commit)], { env })
  const input = request.only.map((file) => `${file}\0`).join('')
  await git(['update-index', '--add', '--remove', '-z', '--stdin'], { env, input })
  const tree = singleLine(await git(['write-tree'], { env }))
  await rm(env.GIT_INDEX_FILE, { force: true })
  const [before, base] = await Promise.all([treeOf(clone, request.commit), treeOf(clone, request.base)])
  if (tree === before) return { commit: request.commit, tree, empty: tree === base, changed: [] }
  const commit = await commitTree(clone, { tree, parents: [request.base], message: request.message })
  const changed = (await changesBetween(clone.objects, before, tree)).map(({ path }) => path)
  return { commit, tree, empty: tree === base, changed }
}

export async function removePlace(clone: Clone, path: string): Promise<void> {
  const index = recordPath(clone, path, 'index')
  for (const file of [index, `${index}.lock`]) await rm(file, { force: true })
  await removeTree(path)
}

export async function removePlaces(clone: Clone, folder: string): Promise<void> {
  clone.spares.delete(folder)
  for (const name of await readdir(folder).catch(() => [])) await removePlace(clone, join(folder, name))
}

/** Keeps a place that nobody uses any more, because git brings it to another commit faster than it writes a new one. */
async function keepSpare(clone: Clone, path: string): Promise<void> {
  const folder = dirname(path)
  const spare = join(folder, `spare-${randomBytes(6).toString('hex')}`)
  await move(clone, path, spare)
  clone.spares.set(folder, [...(clone.spares.get(folder) ?? []), spare])
}

/** Puts a spare place there, with nothing in it but tracked files; false: there is none. */
async function takeSpare(clone: Clone, path: string): Promise<boolean> {
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
  const files = new Set(await indexedPaths(recordPath(clone, path, 'index')))
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
