import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Composed } from '../../../ports/repository/composing.ts'
import type { Repository } from '../../../ports/repository/repository.ts'
import { type Clone, inClone } from '../clone.ts'
import { commitTree, treeOf } from '../commit.ts'
import { isAncestor } from '../read.ts'
import { lineOf } from '../run.ts'
import { mergeTrees } from './merge-trees.ts'
import { replay } from './replay.ts'
import { type Result, settled } from './settled.ts'

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

async function finish(clone: Clone, request: Request, { tree, files, note }: Result): Promise<Composed> {
  const { onto } = request
  const body = [request.message.body, note].filter((part) => part !== '').join('\n\n')
  const message = { ...request.message, body }
  if (files.length > 0) {
    const commit = await commitTree(clone, { tree, parents: [onto], message })
    return { status: 'conflict', commit, files }
  }
  const replayed =
    request.replay == null ? null : await replay(clone, { ...request, replay: request.replay }, { tree, note })
  if (replayed !== null && 'commit' in replayed) return { status: 'composed', tree, squashed: null, ...replayed }
  const parents = request.method === 'merge' ? [onto, await secondParent(clone, request, tree)] : [onto]
  const commit = await commitTree(clone, { tree, parents, message })
  return { status: 'composed', commit, tree, squashed: replayed?.squashed ?? null }
}

/**
 * The story's own commit. Where it began on commits that are not on the line, they must not come back with it, nor must
 * commits of its coder that nobody has looked at one by one.
 */
async function secondParent(clone: Clone, request: Request, tree: TreeId): Promise<CommitId> {
  const { onto, base, commit, message } = request
  const isOnLine = await isAncestor(clone, base, onto)
  const said = await inClone(clone, ['show', '-s', '--no-show-signature', '--format=%P%n%s', commit])
  const [parents = '', subject = ''] = lineOf(said).split('\n')
  if (isOnLine && parents === base) return commit
  const own = isOnLine ? { tree: await treeOf(clone, commit), parents: [base] } : { tree, parents: [onto] }
  return commitTree(clone, { ...own, message: { ...message, subject, body: '' } })
}
