import type { TreeId } from '../../../delivery/ids.ts'
import type { Composed, Conflict, Settle, Settled } from '../../../ports/repository/composing.ts'
import type { Repository } from '../../../ports/repository/repository.ts'
import type { Clone } from '../clone.ts'
import { commitTree, treeOf } from '../commit.ts'
import { commitSubject, isAncestor } from '../history.ts'
import { editTree, writeObject } from '../objects/write.ts'
import { type MergedTrees, type MergeResult, mergeTrees } from './merge-trees.ts'
import { replay } from './replay.ts'

type Request = Parameters<Repository['compose']>[0]

/** Three-way with exactly `base` in the middle, whatever the history of the two sides is. */
export async function compose(clone: Clone, request: Request): Promise<Composed> {
  const { onto } = request
  const trees = await Promise.all([request.base, onto, request.commit].map((commit) => treeOf(clone, commit)))
  const [base, ours, theirs] = trees as [TreeId, TreeId, TreeId]
  if (base === ours) return finish(clone, request, { tree: theirs, files: [], note: '' })
  const merged = await mergeTrees(clone, { ...request, trees: { base, ours, theirs } })
  return finish(clone, request, await settled(clone, request.settle, merged))
}

async function finish(clone: Clone, request: Request, { tree, files, note }: MergeResult): Promise<Composed> {
  const { onto } = request
  const body = [request.message.body, note].filter((part) => part !== '').join('\n\n')
  const message = { ...request.message, body }
  if (files.length > 0) {
    const commit = await commitTree(clone, { tree, parents: [onto], message })
    return { status: 'conflict', commit, files }
  }
  const laying = { settle: (merged: MergedTrees) => settled(clone, request.settle, merged), tree, note }
  const replayed = request.replay == null ? null : await replay(clone, { ...request, replay: request.replay }, laying)
  if (replayed !== null && 'commit' in replayed) return { status: 'composed', tree, squashed: null, ...replayed }
  const parents = request.method === 'merge' ? [onto, await secondParent(clone, request, tree)] : [onto]
  const commit = await commitTree(clone, { tree, parents, message })
  return { status: 'composed', commit, tree, squashed: replayed?.squashed ?? null }
}

/**
 * The story's own commit. Where it began on commits that are not on the line, they must not come back with it, nor must
 * commits of its coder that nobody has looked at one by one.
 */
async function secondParent(clone: Clone, request: Request, tree: TreeId): Promise<string> {
  const { onto, base, commit } = request
  const [isOnLine, story] = await Promise.all([isAncestor(clone, base, onto), clone.objects.commit(commit)])
  if (isOnLine && story.parents.join() === base) return commit
  const own = isOnLine ? { tree: story.tree, parents: [base] } : { tree, parents: [onto] }
  const message = { ...request.message, subject: commitSubject(story.message), body: '' }
  return commitTree(clone, { ...own, message })
}

async function settled(clone: Clone, settle: Settle | undefined, merged: MergedTrees): Promise<MergeResult> {
  const asks = settle !== undefined && merged.files.length + merged.byLines.length > 0
  const { files, note } = asks ? await settle(merged.files, merged.byLines) : { files: [], note: '' }
  const words = new Map(files.map((file) => [file.path, file]))
  const open = [
    ...merged.files.filter(({ path }) => words.get(path)?.open !== false),
    ...merged.byLines.filter(({ path }) => words.get(path)?.open === true),
  ]
  const whole = open.filter(({ path }) => !words.has(path)).flatMap(oneSide)
  return { tree: await rewritten(clone, merged.tree, [...files, ...whole]), files: open, note }
}

/** What is no text must not be left with markers in it: the line's version is there until somebody chooses. */
function oneSide({ path, kind, ours }: Conflict): Settled[] {
  if (ours === null || (kind !== 'binary' && kind !== 'pointer')) return []
  return [{ path, content: { mode: ours.mode, object: ours.object }, open: true }]
}

/** The tree with these files as they were settled. */
async function rewritten(clone: Clone, tree: TreeId, files: Settled[]): Promise<TreeId> {
  const edits = files.map(async ({ path, content }) => {
    if (content === null || 'object' in content) return [path, content] as const
    return [
      path,
      { mode: content.mode, object: await writeObject(clone.gitDir, 'blob', Buffer.from(content.text)) },
    ] as const
  })
  return files.length === 0 ? tree : await editTree(clone, tree, new Map(await Promise.all(edits)))
}
