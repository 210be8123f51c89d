import { createHash, randomBytes } from 'node:crypto'
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, ourGit, userGit } from './run.ts'

/** Our bare clone of one user repository, and what is known about both. */
export interface Clone {
  gitDir: string
  /** A folder inside the user's repository, where git finds it. */
  user: string
  /** The user's git directory, shared by all of their worktrees. */
  commonDir: string
  identity: Identity | null
  /** Trees of commits; they never change. */
  trees: Map<CommitId, TreeId>
}

export interface Identity {
  name: string
  email: string
}

/** Git on our clone. */
export function inClone(clone: Clone, args: string[], more: Omit<GitCall, 'args'> = {}): Promise<GitOutput> {
  return ourGit({ ...more, args: ['--git-dir', clone.gitDir, ...args] })
}

/** Where things about a workspace or a place are kept: outside of it, so that nobody in it can touch them. */
export function recordPath(clone: Clone, path: string, ending: 'index' | 'json'): string {
  const key = createHash('sha256').update(path).digest('hex').slice(0, 24)
  return join(clone.gitDir, 'ropewalk', `${key}.${ending}`)
}

/** Makes the clone unless it is there. Built under another name, so that a kill or a second process does no harm. */
export async function ensureClone(gitDir: string, commonDir: string): Promise<void> {
  if (await exists(join(gitDir, 'HEAD'))) return
  await mkdir(dirname(gitDir), { recursive: true })
  await removeAbandoned(gitDir)
  const making = `${gitDir}.making-${process.pid}-${randomBytes(4).toString('hex')}`
  await build(making, commonDir)
  try {
    await rename(making, gitDir)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (!(await exists(join(gitDir, 'HEAD')))) throw error
  }
}

async function build(making: string, commonDir: string): Promise<void> {
  const source = ['clone', '--bare', '--local', '--dissociate', '--no-tags', '--template=', '--quiet']
  await userGit({
    args: [...source, '--config', 'gc.auto=0', '--', commonDir, making],
    timeoutMs: bulkTimeoutMs,
  })
  await ourGit({ args: ['--git-dir', making, 'config', '--remove-section', 'remote.origin'] })
  // The user's branches as of today are of no use here: only refs/ropewalk/ is ours.
  await rm(join(making, 'packed-refs'), { force: true })
  await rm(join(making, 'refs', 'heads'), { recursive: true, force: true })
  await mkdir(join(making, 'refs', 'heads'), { recursive: true })
  await mkdir(join(making, 'ropewalk'))
}

/** What processes that were killed while they cloned have left. */
async function removeAbandoned(gitDir: string): Promise<void> {
  const folder = dirname(gitDir)
  for (const name of await readdir(folder)) {
    const pid = /\.making-(\d+)-/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
