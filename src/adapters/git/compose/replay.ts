import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Replay, Replayed } from '../../../ports/repository/composing.ts'
import type { Repository } from '../../../ports/repository/repository.ts'
import type { Clone } from '../clone.ts'
import { commitText, textOf, treeOf } from '../commit.ts'
import { lastText } from './last-text.ts'
import { mergeTrees } from './merge-trees.ts'
import { type Result, settled } from './settled.ts'

type Request = Parameters<Repository['compose']>[0] & { replay: Replay }

interface Laid extends Replayed {
  tree: TreeId
}

/**
 * The commits one by one on top of the line. The last one has the tree of the whole, which may have been settled
 * otherwise. Null: nothing of them is left to be laid.
 */
export async function replay(
  clone: Clone,
  request: Request,
  { tree, note }: Pick<Result, 'tree' | 'note'>,
): Promise<{ commit: CommitId } | { squashed: string } | null> {
  const start = await treeOf(clone, request.onto)
  const laid: Laid[] = []
  for (const one of request.replay.commits) {
    const before = laid.at(-1)?.tree ?? start
    const after = await lay(clone, request, { one, onto: before })
    if (after === null) return { squashed: `its commit ${named(one)} does not fit onto the line by itself` }
    // What the line has already would be a commit without a change.
    if (after !== before) laid.push({ ...one, tree: after })
  }
  while (laid.length > 0 && (laid.at(-2)?.tree ?? start) === tree) laid.pop()
  return laid.length === 0 ? null : { commit: await commitAll(clone, request, { laid, tree, note }) }
}

async function lay(
  clone: Clone,
  { settle, message }: Request,
  { one, onto }: { one: Replayed; onto: TreeId },
): Promise<TreeId | null> {
  const [base, theirs] = await Promise.all([treeOf(clone, one.parent), treeOf(clone, one.commit)])
  if (base === onto) return theirs
  const merged = await mergeTrees(clone, { base: one.parent, message, trees: { base, ours: onto, theirs } })
  const { tree, files } = await settled(clone, settle, merged)
  return files.length === 0 ? tree : null
}

const named = ({ commit, by }: Replayed): string =>
  by === null ? commit.slice(0, 10) : `${commit.slice(0, 10)} (${by.message.trim().split('\n', 1)[0]!.slice(0, 72)})`

async function commitAll(
  clone: Clone,
  { onto, message, replay: { addition } }: Request,
  { laid, tree, note }: { laid: Laid[]; tree: TreeId; note: string },
): Promise<CommitId> {
  let parent = onto
  for (const [index, { by, tree: own }] of laid.entries()) {
    const isLast = index === laid.length - 1
    const plain = by?.message ?? textOf({ ...message, body: '', trailers: [] })
    const text = isLast ? lastText(message, { by, addition, note }) : plain
    const content = { parents: [parent], text, at: message.at, author: by?.author ?? null }
    parent = await commitText(clone, { ...content, tree: isLast ? tree : own })
  }
  return parent
}
