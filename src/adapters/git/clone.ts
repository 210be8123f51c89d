import { createHash, randomBytes } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { FileChange } from '../../ports/repository/commits.ts'
import type { Repository } from '../../ports/repository/repository.ts'
import type { Objects } from './objects.ts'
import { DiedError } from './program/failures.ts'
import { bulkTimeoutMs, type GitCall, type GitOutput, ourGit, userGit } from './program/run.ts'
import type { Talk } from './program/talk.ts'

/** Our bare clone of one user repository, and what is known about both. */
export interface Clone {
  gitDir: string
  /** A folder inside the user's repository, where git finds it. */
  user: string
  /** The user's git directory, shared by all of their worktrees. */
  commonDir: string
  bare: boolean
  identity: Identity | null
  /** What our clone holds, and what the user's repository does. */
  objects: Objects
  theirs: Objects
  /** Moves refs of ours. */
  refs: Talk<true>
  /** What was last asked for of what lies between two trees; that never changes. */
  diffs: Map<string, Promise<FileChange[]>>
  /** Places that nobody uses just now, by the folder they are in. */
  spares: Map<string, string[]>
}

export interface Identity {
  name: string
  email: string
}

/** What the port has a verb be asked. */
export type AskedOf<Verb extends keyof Repository> = Repository[Verb] extends (asked: infer What) => unknown
  ? What
  : never

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
  await mkdir(dirname(gitDir), { recursive: true, mode: 0o700 })
  await removeAbandoned(gitDir)
  const making = await built(gitDir, commonDir)
  try {
    await rename(making, gitDir)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (!(await exists(join(gitDir, 'HEAD')))) throw error
  }
}

/** A clone that was killed is begun anew beside what is left of it. */
async function built(gitDir: string, commonDir: string, tries = 3): Promise<string> {
  const making = `${gitDir}.making-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await build(making, commonDir)
    return making
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (tries > 1 && error instanceof DiedError) return await built(gitDir, commonDir, tries - 1)
    throw error
  }
}

async function build(making: string, commonDir: string): Promise<void> {
  const source = ['clone', '--bare', '--dissociate', '--no-tags', '--template=', '--quiet']
  await userGit({
    args: [...source, '--config', 'gc.auto=0', '--', commonDir, making],
    timeoutMs: bulkTimeoutMs,
    once: true,
  })
  await forgetOrigin(making)
  await takeBranches(making)
  await mkdir(join(making, 'ropewalk'))
}

/** The section is the last that git has written, or one of them. */
async function forgetOrigin(making: string): Promise<void> {
  const file = join(making, 'config')
  const config = await readFile(file, 'utf8')
  await writeFile(file, config.replace(/^\[remote "origin"\]\n(?:\t.*\n)*/m, ''))
}

/** Only refs/ropewalk/ is ours: what came as the user's branches becomes what we know of the targets. */
async function takeBranches(making: string): Promise<void> {
  const file = join(making, 'packed-refs')
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const branches = lines.map((line) => /^([0-9a-f]+) refs\/heads\/(.+)$/.exec(line)).filter((match) => match !== null)
  await writeFile(file, branches.map(([, tip, branch]) => `${tip} ${targetRef(branch!)}\n`).join(''))
}

/** One segment whatever the branch is called, so that `a` and later `a/b` are no clash. */
export const targetRef = (branch: string): string => `refs/ropewalk/target/${encodeURIComponent(branch)}`

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

/** Settings and attributes put into our clone could show a check other files than those that are committed. */
export async function requireOwnSettings({ gitDir }: Clone): Promise<void> {
  const [text, attributes] = await Promise.all([
    readFile(join(gitDir, 'config'), 'utf8'),
    exists(join(gitDir, 'info/attributes')),
  ])
  const foreign = attributes ? 'info/attributes' : foreignSection(text)
  if (foreign !== null)
    throw new TerminalError(
      `somebody has changed our clone: ${foreign} in ${gitDir} is not from us`,
      'Find out which agent did this, take it out of there, then retry the story.',
    )
}

/** The first section that git did not write when the clone was made. */
function foreignSection(config: string): string | null {
  const lines = config.split('\n')
  const section = lines.find((line) => /^\s*\[/.test(line) && !/^\[(?:core|gc|extensions)\]\s*$/.test(line))
  const key = lines.find((line) => /^\s*(?:attributesfile|sparsecheckout|worktree)\b/i.test(line))
  return (section ?? key)?.trim() ?? null
}
