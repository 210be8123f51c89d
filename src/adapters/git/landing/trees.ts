import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Clone } from '../clone.ts'
import { type BranchMove, isOurLock, type LandedTree, readLock } from './lock.ts'

/** All checkouts of the branch: the main one, and linked worktrees. */
export async function treesOn(clone: Clone, landing: BranchMove): Promise<LandedTree[]> {
  const linked = await Promise.all((await linkedGitDirs(clone)).map(checkoutOf))
  // A main checkout whose git directory lies elsewhere, as a submodule's does, is only known by where we are.
  const listed = [...new Set([...(await mainCheckout(clone)), ...linked.flat(), clone.user])]
  const trees = (await Promise.all(listed.map((path) => readTree(clone, path, landing)))).flat()
  const heads = await Promise.all(trees.map((tree) => textOf(join(tree.gitDir, 'HEAD'))))
  return trees.filter((_, i) => heads[i] === `ref: refs/heads/${landing.branch}`)
}

/** Where the branch is being rebased, which git shows as a detached HEAD; null: nowhere. */
export async function rebasing(clone: Clone, branch: string): Promise<string | null> {
  for (const gitDir of [clone.commonDir, ...(await linkedGitDirs(clone))])
    for (const kind of ['rebase-merge', 'rebase-apply'])
      if ((await textOf(join(gitDir, kind, 'head-name'))) === `refs/heads/${branch}`) return gitDir
  return null
}

async function linkedGitDirs({ commonDir }: Clone): Promise<string[]> {
  const names = await readdir(join(commonDir, 'worktrees')).catch(() => [])
  return names.map((name) => join(commonDir, 'worktrees', name))
}

/** None when nobody has said where it is. */
async function checkoutOf(linked: string): Promise<string[]> {
  const dotGit = await textOf(join(linked, 'gitdir'))
  return dotGit === '' ? [] : [dirname(resolve(linked, dotGit))]
}

async function mainCheckout({ commonDir }: Clone): Promise<string[]> {
  const isBare = /^\s*bare\s*=\s*true\s*$/im.test(await textOf(join(commonDir, 'config')))
  return isBare || basename(commonDir) !== '.git' ? [] : [dirname(commonDir)]
}

/** None for a worktree whose folder somebody has removed. */
async function readTree({ theirs: objects }: Clone, path: string, landing: BranchMove): Promise<LandedTree[]> {
  const dotGit = join(path, '.git')
  const found = await stat(dotGit).catch(() => null)
  if (found === null) return []
  const gitDir = found.isDirectory() ? dotGit : resolve(path, (await textOf(dotGit)).replace(/^gitdir: /, ''))
  const index = join(gitDir, 'index')
  const lock = `${index}.lock`
  const scratch = `${index}.ropewalk-${landing.to}`
  const interrupted = await isOurLock(lock, landing)
  const other = interrupted ? null : await readLock(lock)
  const left = other?.ended === true ? other.landing : null
  return [{ path, gitDir, index, lock, objects, scratch, interrupted, left }]
}

/** Without the end of its last line; empty where there is none. */
const textOf = async (path: string): Promise<string> =>
  (await readFile(path, 'utf8').catch(() => '')).replace(/\r?\n$/, '')
