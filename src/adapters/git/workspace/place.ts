import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import type { CommitMessage, Snapshot } from '../../../ports/repository/workspaces.ts'
import { removeTree } from '../../../std/remove-tree.ts'
import { type Clone, exists, inClone, recordPath } from '../clone.ts'
import { asCommit, commitTree, treeOf } from '../commit.ts'
import { requireOwnSettings } from '../own-settings.ts'
import { bulkTimeoutMs, itemsOf, lineOf } from '../run.ts'
import { copyIndex } from './agent-git.ts'
import { gitIn } from './snapshot.ts'
import { keepSpare, takeSpare } from './spare.ts'

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

/** Takes the given paths as they are in the place, the rest as it is in the commit. */
export async function commitPlace(
  clone: Clone,
  request: { path: string; commit: CommitId; base: CommitId; only: string[]; message: CommitMessage },
): Promise<Snapshot & { changed: string[] }> {
  const index = recordPath(clone, request.path, 'index')
  const git = gitIn(clone, request.path)
  const env = { GIT_INDEX_FILE: `${index}.taking` }
  if (await exists(index)) await copyIndex(index, env.GIT_INDEX_FILE)
  else await git(['read-tree', asCommit(request.commit)], { env })
  const input = request.only.map((file) => `${file}\0`).join('')
  await git(['update-index', '--add', '--remove', '-z', '--stdin'], { env, input })
  const tree = lineOf(await git(['write-tree'], { env }))
  await rm(env.GIT_INDEX_FILE, { force: true })
  const [before, base] = await Promise.all([treeOf(clone, request.commit), treeOf(clone, request.base)])
  if (tree === before) return { commit: request.commit, tree, empty: tree === base, changed: [] }
  const commit = await commitTree(clone, { tree, parents: [request.base], message: request.message })
  return { commit, tree, empty: tree === base, changed: await changedPaths(clone, before, tree) }
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

async function changedPaths(clone: Clone, before: string, after: string): Promise<string[]> {
  const args = ['diff-tree', '-r', '-z', '--name-only', '--no-renames', before, after]
  return itemsOf(await inClone(clone, args, { timeoutMs: bulkTimeoutMs }))
}
