import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Archived, CommitMessage, Snapshot } from '../../../ports/repository.ts'
import { type Clone, exists, inClone, recordPath } from '../clone.ts'
import { commitTree, treeOf } from '../commit.ts'
import { archiveRef } from '../refs.ts'
import { lineOf } from '../run.ts'
import { adoptAgentCommits, agentHead, writeAgentGit } from './agent-git.ts'
import { removeTree } from './place.ts'
import { gitIn, snapshot } from './snapshot.ts'

/** What we remember of a workspace, outside of it. */
interface Opened {
  at: CommitId
  /** Size and age of the agent's index as we wrote it: as long as they are the same, nothing was added by force. */
  stamp: string
  harvested: { commit: CommitId; tree: TreeId } | null
}

export async function openWorkspace(
  clone: Clone,
  request: { path: string; at: CommitId; archiveAs: string; keepIgnored: boolean },
): Promise<{ created: boolean; archived: Archived | null }> {
  const { path, at } = request
  if (!(await exists(path))) {
    await create(clone, path, at)
    return { created: true, archived: null }
  }
  const known = (await opened(clone, path)) !== null
  const archived = await archive(clone, { ...request, spare: at })
  if (request.keepIgnored && known) {
    await reset(clone, path, at)
    return { created: false, archived }
  }
  await discard(clone, path)
  await create(clone, path, at)
  return { created: true, archived }
}

export async function harvest(
  clone: Clone,
  request: { path: string; base: CommitId; message: CommitMessage },
): Promise<Snapshot> {
  const { path, base, message } = request
  if (!(await exists(path)))
    throw new TerminalError(`the workspace ${path} is gone`, 'Retry the story: it gets a fresh workspace.')
  const record = await opened(clone, path)
  const [tree, baseTree] = await Promise.all([treeIn(clone, path, record), treeOf(clone, base)])
  if (tree === baseTree) return { commit: base, tree, empty: true }
  const commit = await commitTree(clone, { tree, parents: [base], message })
  if (record !== null) await remember(clone, path, { ...record, harvested: { commit, tree } })
  return { commit, tree, empty: false }
}

export async function closeWorkspace(
  clone: Clone,
  request: { path: string; archiveAs: string },
): Promise<Archived | null> {
  const archived = (await exists(request.path)) ? await archive(clone, { ...request, spare: null }) : null
  await discard(clone, request.path)
  return archived
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
  const stamp = await stampOf(workspace.path)
  await remember(clone, workspace.recordFor, { at: workspace.at, stamp, harvested: null })
}

/** Out of sight first: a kill while files are being removed must not look like an agent that deleted them. */
async function discard(clone: Clone, path: string): Promise<void> {
  const closing = `${path}.closing`
  await removeTree(closing)
  if (await exists(path)) await rename(path, closing)
  await rm(recordPath(clone, path, 'json'), { force: true })
  await rm(recordPath(clone, path, 'index'), { force: true })
  await removeTree(closing)
}

/** Makes everything in it reachable from an archive ref, unless it is all in commits that stay. */
async function archive(
  clone: Clone,
  request: { path: string; archiveAs: string; spare: CommitId | null },
): Promise<Archived | null> {
  const record = await opened(clone, request.path)
  const tree = await treeIn(clone, request.path, record)
  const own = await adoptAgentCommits(clone, request.path, record?.at ?? null)
  const spared = [record?.at ?? null, request.spare].filter((commit) => commit !== null)
  const kept = await Promise.all(spared.map((commit) => treeOf(clone, commit)))
  if (own.length === 0 && (tree === emptyTree || kept.includes(tree))) return null
  const harvested = own.length === 0 && record?.harvested?.tree === tree ? record.harvested.commit : null
  const commit = harvested ?? (await archiveCommit(clone, { tree, start: record?.at ?? null, own }))
  return { ref: await archiveRef(clone, request.archiveAs, commit), commit }
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/** Dated like the commit it began from: archiving the same thing twice gives the same commit. */
async function archiveCommit(
  clone: Clone,
  content: { tree: TreeId; start: CommitId | null; own: CommitId[] },
): Promise<CommitId> {
  const parents = [...(content.start === null ? [] : [content.start]), ...content.own]
  const dated = parents[0] === undefined ? '0' : lineOf(await inClone(clone, ['log', '-1', '--format=%ct', parents[0]]))
  const message = { subject: 'What was in the workspace', body: '', trailers: [], at: Number(dated) }
  return commitTree(clone, { tree: content.tree, parents, message })
}

async function treeIn(clone: Clone, path: string, record: Opened | null): Promise<TreeId> {
  const head = await agentHead(join(path, '.git'))
  const forced = {
    head: head === record?.at ? null : head,
    index: record !== null && (await stampOf(path)) !== record.stamp,
  }
  return snapshot(clone, { path, base: record?.at ?? null, forced })
}

async function stampOf(path: string): Promise<string> {
  const found = await stat(join(path, '.git', 'index')).catch(() => null)
  return found === null ? 'none' : `${found.size} ${found.mtimeMs} ${found.ino}`
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
