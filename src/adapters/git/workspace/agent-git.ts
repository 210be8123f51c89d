import { constants } from 'node:fs'
import { copyFile, mkdir, open, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId } from '../../../delivery/ids.ts'
import { TransientError } from '../../../ports/errors.ts'
import { isDiskFull } from '../../../std/files.ts'
import { type Clone, exists, inClone } from '../clone.ts'
import { fallback } from '../commit.ts'
import { bulkTimeoutMs, singleLine } from '../program/run.ts'

/**
 * The agent's own .git: it borrows our objects, and has no way to our refs, configuration or hooks.
 * Pushing leads nowhere. It is written for the agent's use and read with distrust.
 */
export async function writeAgentGit(
  clone: Clone,
  workspace: { path: string; at: CommitId; index: string },
): Promise<void> {
  const git = join(workspace.path, '.git')
  await mkdir(join(git, 'hooks'), { recursive: true })
  await layGit(clone, git, {
    ...{ branch: 'ropewalk', commit: workspace.at, borrows: quoted(join(clone.gitDir, 'objects')) },
    core: [...ownCore, 'autocrlf = false', 'hooksPath = .git/hooks', 'fsmonitor = false'],
    rest: restOfAgents,
  })
  await copyIndex(workspace.index, join(git, 'index'))
  if (await exists(join(clone.gitDir, 'shallow'))) await copyFile(join(clone.gitDir, 'shallow'), join(git, 'shallow'))
}

/** An index stays as old as it was, since git tells from its age which files it must look at again. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from)
  await copyFile(from, to)
  const seconds = Math.floor(mtimeMs) / 1000
  await utimes(to, seconds, seconds)
}

const restOfAgents = [
  '[commit]\n\tgpgsign = false\n[tag]\n\tgpgsign = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false',
  '[push]\n\tdefault = nothing\n[url "/dev/null/ropewalk-does-not-push/"]\n\tpushInsteadOf = ""',
]

const ownCore = ['bare = false', 'logallrefupdates = true']

/** A .git with one branch, at a commit whose objects lie elsewhere. */
export async function layGit(
  { identity }: Clone,
  git: string,
  { branch, commit, borrows, core = ['filemode = true', ...ownCore], rest = [] }: Layout,
): Promise<void> {
  const head = join(git, 'refs/heads', branch)
  const folders = ['objects/info', 'objects/pack', 'refs/tags', 'info'].map((name) => join(git, name))
  for (const folder of [...folders, dirname(head)]) await mkdir(folder, { recursive: true })
  const { name, email } = identity ?? fallback
  const config = [
    ...['[core]', ...['repositoryformatversion = 0', ...core].map((line) => `\t${line}`)],
    ...['[user]', `\tname = ${JSON.stringify(name)}`, `\temail = ${JSON.stringify(email)}`, ...rest, ''],
  ]
  await Promise.all([
    writeFile(join(git, 'HEAD'), `ref: refs/heads/${branch}\n`),
    writeFile(head, `${commit}\n`),
    writeFile(join(git, 'objects/info/alternates'), `${borrows}\n`),
    writeFile(join(git, 'config'), config.join('\n')),
  ])
}

interface Layout {
  branch: string
  commit: CommitId
  /** Where the objects lie. */
  borrows: string
  /** Of its configuration. */
  core?: string[]
  rest?: string[]
}

/** Lets git see the agent's objects besides ours, without reading anything else of its .git. */
export function alternates(agentGit: string): Record<string, string> {
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(agentGit, 'objects')) }
}

const quoted = (path: string): string => `"${path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n')}"`

/** The agent's HEAD; null when it cannot be told. */
export async function agentHead(agentGit: string): Promise<CommitId | null> {
  const head = await textOf(join(agentGit, 'HEAD'))
  const ref = /^ref: (refs\/[^\n]+)/.exec(head)?.[1]
  if (ref === undefined) return /^[0-9a-f]{40,64}/.exec(head)?.[0] ?? null
  if (ref.includes('..')) return null
  const loose = /^[0-9a-f]{40,64}/.exec(await textOf(join(agentGit, ref)))?.[0]
  if (loose !== undefined) return loose
  const packed = (await textOf(join(agentGit, 'packed-refs'))).split('\n')
  return packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? null
}

/**
 * Commits that exist only in the agent's .git, from its branches, stash and reflogs, copied into our clone.
 * Only those are named that no other of them contains.
 */
export async function adoptAgentCommits(clone: Clone, path: string, start: CommitId | null): Promise<CommitId[]> {
  const agentGit = join(path, '.git')
  const named = await namedCommits(agentGit)
  if (start !== null) named.delete(start)
  if (named.size === 0) return []
  try {
    return await adopt(clone, { agentGit, named: [...named], start })
  } catch (error) {
    // A broken .git is the agent's own doing; the files are taken all the same. What may go well later is not given up.
    if (error instanceof TransientError || isDiskFull(error)) throw error
    return []
  }
}

/** The agent's HEAD, copied into our clone, where first parents lead from it back to `start`; else `start`. */
export async function adoptHead(clone: Clone, path: string, start: CommitId): Promise<CommitId> {
  const agentGit = join(path, '.git')
  const head = await agentHead(agentGit)
  if (head === null || head === start) return start
  try {
    const args = ['rev-list', '--first-parent', '--reverse', '--parents', `^${start}`, head]
    const lines = singleLine(await inClone(clone, args, { env: alternates(agentGit) }))
    const [oldest] = lines.split('\n', 1)
    if (oldest?.split(' ')[1] !== start) return start
    await adopt(clone, { agentGit, named: [head], start })
    return head
  } catch (error) {
    if (error instanceof TransientError || isDiskFull(error)) throw error
    return start
  }
}

async function adopt(
  clone: Clone,
  from: { agentGit: string; named: string[]; start: CommitId | null },
): Promise<CommitId[]> {
  const env = alternates(from.agentGit)
  const types = await inClone(clone, ['cat-file', '--batch-check'], { env, input: `${from.named.join('\n')}\n` })
  const lines = types.stdout.toString('utf8').split('\n')
  const commits = lines.filter((line) => line.includes(' commit ')).map((line) => line.split(' ')[0]!)
  if (commits.length === 0) return []
  const known = from.start === null ? [] : [from.start]
  const tips = singleLine(await inClone(clone, ['merge-base', '--independent', ...known, ...commits], { env }))
  const own = tips.split('\n').filter((tip) => tip !== '' && tip !== from.start)
  if (own.length === 0) return []
  await inClone(clone, ['pack-objects', '--revs', '--quiet', join(clone.gitDir, 'objects/pack/pack')], {
    env,
    input: `${[...own, ...known.map((commit) => `^${commit}`)].join('\n')}\n`,
    timeoutMs: bulkTimeoutMs,
  })
  return own
}

async function namedCommits(agentGit: string): Promise<Set<string>> {
  const texts = await Promise.all([
    textOf(join(agentGit, 'HEAD')),
    textOf(join(agentGit, 'packed-refs')),
    ...(await textsBelow(join(agentGit, 'refs'))),
    ...(await textsBelow(join(agentGit, 'logs'))),
  ])
  const ids = texts.flatMap((text) => text.match(/\b[0-9a-f]{40}(?:[0-9a-f]{24})?\b/g) ?? [])
  return new Set(ids.filter((id) => !/^0+$/.test(id)))
}

async function textsBelow(folder: string): Promise<Promise<string>[]> {
  // With types, so that no link is followed.
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  return entries.map(({ parentPath, name }) => textOf(join(parentPath, name)))
}

const longestText = 64_000_000

/** Not blocking and not following: an agent may have made it a pipe or a link. */
async function textOf(path: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
  const file = await open(path, flags).catch(() => null)
  if (file === null) return ''
  try {
    const found = await file.stat()
    return found.isFile() && found.size <= longestText ? await file.readFile('utf8') : ''
  } finally {
    await file.close()
  }
}
