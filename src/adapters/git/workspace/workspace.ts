import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Archived, Snapshot } from '../../../ports/repository/workspaces.ts'
import { removeTree } from '../../../std/files.ts'
import { type AskedOf, type Clone, recordPath } from '../clone.ts'
import { asCommit, commitTree, treeOf } from '../commit.ts'
import { isAncestor } from '../history.ts'
import { archiveRef, dropStaleLock } from '../refs.ts'
import { adoptAgentCommits, adoptHead, agentHead, writeAgentGit } from './agent-git.ts'
import { gitIn, snapshot, stampOf } from './snapshot.ts'

/** What we remember of a workspace, outside of it. */
interface Opened {
  at: CommitId
  /** Size and age of the agent's index as we wrote it: as long as they are the same, nothing was added by force. */
  stamp: string | null
  harvested: { tree: TreeId; commit: CommitId }[]
}

export async function openWorkspace(
  clone: Clone,
  request: AskedOf<'openWorkspace'>,
): Promise<{ created: boolean; archived: Archived | null }> {
  const path = request.path
  const at = asCommit(request.at)
  await dropStaleLock(recordPath(clone, path, 'index'))
  if (!(await isOurs(path))) {
    // What was put in its place is not looked into, and what a link leads to is not ours.
    await rm(path, { force: true })
    await create(clone, path, at)
    return { created: true, archived: null }
  }
  const known = (await opened(clone, path)) !== null
  const archived = await archive(clone, { ...request, kept: [], spare: [at] })
  if (request.stays !== 'none' && known) {
    if (request.stays === 'ignored') await reset(clone, path, at)
    return { created: false, archived }
  }
  await discard(clone, path)
  await create(clone, path, at)
  return { created: true, archived }
}

export async function harvest(clone: Clone, { path, base, message, method }: AskedOf<'harvest'>): Promise<Snapshot> {
  if (!(await isOurs(path)))
    throw new TerminalError(`the workspace ${path} is gone`, 'Retry the story: it gets a fresh workspace.')
  const record = await opened(clone, path)
  const [tree, baseTree] = await Promise.all([takeFrom(clone, path, record), treeOf(clone, base)])
  if (tree === baseTree) return { commit: base, tree, empty: true }
  const parent = method === 'rebase' && record !== null ? await ownParent(clone, path, { at: record.at, base }) : base
  const commit = await commitTree(clone, { tree, parents: [parent], message })
  if (record !== null) {
    const earlier = record.harvested.filter((harvested) => harvested.commit !== commit)
    await remember(clone, path, { ...record, harvested: [...earlier, { tree, commit }] })
  }
  return { commit, tree, empty: false }
}

/** The agent's last commit; the base where its commits do not lead back to that. */
async function ownParent(clone: Clone, path: string, { at, base }: Record<'at' | 'base', CommitId>): Promise<CommitId> {
  const head = await adoptHead(clone, path, at)
  return (await isAncestor(clone, base, head)) ? head : base
}

export async function closeWorkspace(clone: Clone, request: AskedOf<'closeWorkspace'>): Promise<Archived | null> {
  await dropStaleLock(recordPath(clone, request.path, 'index'))
  const archived = (await isOurs(request.path)) ? await archive(clone, { ...request, spare: request.kept }) : null
  await discard(clone, request.path)
  return archived
}

/** An agent may have put a link in its place, or in that of the folder above: whatever is behind it is left alone. */
async function isOurs(path: string): Promise<boolean> {
  const above = await lstat(dirname(path)).catch(() => null)
  if (above?.isSymbolicLink())
    throw new TerminalError(`${dirname(path)} was replaced by a link`, 'Remove the link, then retry the story.')
  return (await lstat(path).catch(() => null))?.isDirectory() === true
}

/** Built beside its place and moved there when whole, so that a kill leaves nothing that looks like somebody's work. */
async function create(clone: Clone, path: string, at: CommitId): Promise<void> {
  const making = `${path}.opening`
  await removeTree(making)
  await mkdir(making, { recursive: true })
  const index = recordPath(clone, path, 'index')
  await rm(index, { force: true })
  await gitIn(clone, making)(['read-tree', '--reset', '-u', at], { env: { GIT_INDEX_FILE: index } })
  await equip(clone, { path: making, at, recordFor: path })
  await rename(making, path)
}

/** Ignored files stay; every other file is in our index since the snapshot, so git knows what to remove. */
async function reset(clone: Clone, path: string, at: CommitId): Promise<void> {
  const git = gitIn(clone, path)
  await git(['read-tree', '--reset', '-u', at])
  await git(['clean', '-ffdq', '--', '.'])
  await removeTree(join(path, '.git'))
  await equip(clone, { path, at, recordFor: path })
}

async function equip(clone: Clone, workspace: { path: string; at: CommitId; recordFor: string }): Promise<void> {
  const index = recordPath(clone, workspace.recordFor, 'index')
  await writeAgentGit(clone, { path: workspace.path, at: workspace.at, index })
  const stamp = await stampOf(join(workspace.path, '.git/index'))
  await remember(clone, workspace.recordFor, { at: workspace.at, stamp, harvested: [] })
}

/** Out of sight first: a kill while files are being removed must not look like an agent that deleted them. */
async function discard(clone: Clone, path: string): Promise<void> {
  const closing = `${path}.closing`
  await removeTree(closing)
  if ((await lstat(path).catch(() => null)) !== null) await rename(path, closing)
  await rm(recordPath(clone, path, 'json'), { force: true })
  await rm(recordPath(clone, path, 'index'), { force: true })
  await removeTree(closing)
}

/** Makes everything in it, and all that was harvested from it, reachable from an archive ref. */
async function archive(
  clone: Clone,
  request: AskedOf<'closeWorkspace'> & { spare: CommitId[] },
): Promise<Archived | null> {
  const record = await opened(clone, request.path)
  const tree = await takeFrom(clone, request.path, record)
  const agents = await adoptAgentCommits(clone, request.path, record?.at ?? null)
  const harvested = (record?.harvested ?? []).filter((taken) => !request.kept.includes(taken.commit))
  const own = [...harvested.map((taken) => taken.commit), ...agents]
  if (own.length === 0 && (tree === emptyTree || (await isKept(clone, tree, [record?.at, ...request.spare]))))
    return null
  const whole = own.length === 1 && harvested[0]?.tree === tree
  const commit = whole ? own[0]! : await archiveCommit(clone, { tree, start: record?.at ?? null, own })
  return { ref: await archiveRef(clone, request.archiveAs, commit), commit }
}

/** What a workspace began with came from a ref, or was archived before. */
async function isKept(clone: Clone, tree: TreeId, commits: (CommitId | null | undefined)[]): Promise<boolean> {
  const kept = await Promise.all(commits.map((commit) => (commit ? treeOf(clone, commit) : null)))
  return kept.includes(tree)
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Dated like the commit it began from: archiving the same thing twice gives the same commit. */
async function archiveCommit(
  clone: Clone,
  content: { tree: TreeId; start: CommitId | null; own: CommitId[] },
): Promise<CommitId> {
  const parents = [...(content.start === null ? [] : [content.start]), ...content.own]
  const at = parents[0] === undefined ? 0 : (await clone.objects.commit(parents[0])).at
  const message = { subject: 'What was in the workspace', body: '', trailers: [], at }
  return commitTree(clone, { tree: content.tree, parents, message })
}

async function takeFrom(clone: Clone, path: string, record: Opened | null): Promise<TreeId> {
  const head = await agentHead(join(path, '.git'))
  const stamp = await stampOf(join(path, '.git/index'))
  const forced = {
    head: head === record?.at ? null : head,
    index: record !== null && stamp !== null && stamp !== record.stamp,
  }
  const known = record === null ? null : (record.harvested.at(-1)?.tree ?? (await treeOf(clone, record.at)))
  return snapshot(clone, { path, base: record?.at ?? null, forced, known })
}

async function opened(clone: Clone, path: string): Promise<Opened | null> {
  const text = await readFile(recordPath(clone, path, 'json'), 'utf8').catch(() => null)
  return text === null ? null : (JSON.parse(text) as Opened)
}

async function remember(clone: Clone, path: string, record: Opened): Promise<void> {
  const file = recordPath(clone, path, 'json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.writing`, JSON.stringify(record))
  await rename(`${file}.writing`, file)
}
