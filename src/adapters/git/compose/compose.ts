import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Composed, Conflict, MergedLines, Repository, Settled } from '../../../ports/repository.ts'
import { type Clone, inClone } from '../clone.ts'
import { commitTree, treeOf } from '../commit.ts'
import { isAncestor } from '../read.ts'
import { lineOf } from '../run.ts'
import { mergeTrees } from './merge-trees.ts'
import { rewrite } from './rewrite.ts'

type Request = Parameters<Repository['compose']>[0]

/** Three-way with exactly `base` in the middle, whatever the history of the two sides is. */
export async function compose(clone: Clone, request: Request): Promise<Composed> {
  const { onto } = request
  const trees = await Promise.all([request.base, onto, request.commit].map((commit) => treeOf(clone, commit)))
  const [base, ours, theirs] = trees as [TreeId, TreeId, TreeId]
  if (base === ours) return finish(clone, request, { tree: theirs, files: [], note: '' })
  const merged = await mergeTrees(clone, { ...request, trees: { base, ours, theirs } })
  return finish(clone, request, await settled(clone, request, merged))
}

interface Merged {
  tree: TreeId
  files: Conflict[]
  byLines: MergedLines[]
}

interface Result {
  tree: TreeId
  /** Still in conflict. */
  files: Conflict[]
  note: string
}

async function settled(clone: Clone, { settle }: Request, merged: Merged): Promise<Result> {
  const asks = settle !== undefined && merged.files.length + merged.byLines.length > 0
  const { files, note } = asks ? await settle(merged.files, merged.byLines) : { files: [], note: '' }
  const words = new Map(files.map((file) => [file.path, file]))
  const open = [
    ...merged.files.filter(({ path }) => words.get(path)?.open !== false),
    ...merged.byLines.filter(({ path }) => words.get(path)?.open === true),
  ]
  const whole = open.filter(({ path }) => !words.has(path)).flatMap(oneSide)
  return { tree: await rewrite(clone, merged.tree, [...files, ...whole]), files: open, note }
}

/** What is no text must not be left with markers in it: the line's version is there until somebody chooses. */
function oneSide({ path, kind, ours }: Conflict): Settled[] {
  if (ours === null || (kind !== 'binary' && kind !== 'pointer')) return []
  return [{ path, content: { mode: ours.mode, object: ours.object }, open: true }]
}

async function finish(clone: Clone, request: Request, { tree, files, note }: Result): Promise<Composed> {
  const { onto } = request
  const body = [request.message.body, note].filter((part) => part !== '').join('\n\n')
  const message = { ...request.message, body }
  if (files.length > 0) {
    const commit = await commitTree(clone, { tree, parents: [onto], message })
    return { status: 'conflict', commit, files }
  }
  const parents = request.method === 'merge' ? [onto, await secondParent(clone, request, tree)] : [onto]
  return { status: 'composed', commit: await commitTree(clone, { tree, parents, message }), tree }
}

/** Where the story began on commits that are not on the line, they must not come back with it. */
async function secondParent(clone: Clone, request: Request, tree: TreeId): Promise<CommitId> {
  const { onto, base, commit, message } = request
  if (await isAncestor(clone, base, onto)) return commit
  const subject = lineOf(await inClone(clone, ['show', '-s', '--no-show-signature', '--format=%s', commit]))
  return commitTree(clone, { tree, parents: [onto], message: { ...message, subject, body: '' } })
}
