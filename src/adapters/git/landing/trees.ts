import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Clone } from '../clone.ts'
import { itemsOf, userGit } from '../run.ts'
import type { Landing, Tree } from './landing.ts'
import { isOurLock, readLock } from './lock.ts'

export async function treesOn(clone: Clone, landing: Landing): Promise<Tree[]> {
  const items = itemsOf(await userGit({ args: ['-C', clone.user, 'worktree', 'list', '--porcelain', '-z'] }))
  const paths: string[] = []
  let path = ''
  for (const item of items) {
    if (item.startsWith('worktree ')) path = item.slice('worktree '.length)
    if (item === `branch refs/heads/${landing.branch}`) paths.push(path)
  }
  // Git does not list a main checkout whose git directory lies elsewhere, as a submodule's does.
  const listed = [...new Set([...paths, clone.user])]
  const trees = (await Promise.all(listed.map((found) => readTree(found, landing)))).filter((tree) => tree !== null)
  const heads = await Promise.all(trees.map((tree) => readFile(join(tree.gitDir, 'HEAD'), 'utf8').catch(() => '')))
  return trees.filter((_, i) => heads[i]!.trim() === `ref: refs/heads/${landing.branch}`)
}

/** Where the branch is being rebased, which git shows as a detached HEAD; null: nowhere. */
export async function rebasing(clone: Clone, branch: string): Promise<string | null> {
  const linked = await readdir(join(clone.commonDir, 'worktrees')).catch(() => [])
  const gitDirs = [clone.commonDir, ...linked.map((name) => join(clone.commonDir, 'worktrees', name))]
  for (const gitDir of gitDirs)
    for (const kind of ['rebase-merge', 'rebase-apply']) {
      const name = await readFile(join(gitDir, kind, 'head-name'), 'utf8').catch(() => '')
      if (name.trim() === `refs/heads/${branch}`) return gitDir
    }
  return null
}

/** Null for a worktree whose folder somebody has removed. */
async function readTree(path: string, landing: Landing): Promise<Tree | null> {
  const dotGit = join(path, '.git')
  const found = await stat(dotGit).catch(() => null)
  if (found === null) return null
  const gitDir = found.isDirectory() ? dotGit : resolve(path, await pointedAt(dotGit))
  const index = join(gitDir, 'index')
  const lock = `${index}.lock`
  const scratch = `${index}.ropewalk-${landing.to}`
  const interrupted = await isOurLock(lock, landing)
  const other = interrupted ? null : await readLock(lock)
  return { path, gitDir, index, lock, scratch, interrupted, left: other?.ended === true ? other.landing : null }
}

const pointedAt = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).replace(/^gitdir: /, '').replace(/\n$/, '')
