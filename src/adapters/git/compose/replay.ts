import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { Replay, Replayed } from '../../../ports/repository/composing.ts'
import type { Repository } from '../../../ports/repository/repository.ts'
import type { CommitMessage } from '../../../ports/repository/workspaces.ts'
import type { Clone } from '../clone.ts'
import { commitText, messageText, treeOf } from '../commit.ts'
import { type MergedTrees, type MergeResult, mergeTrees } from './merge-trees.ts'

type Request = Parameters<Repository['compose']>[0] & { replay: Replay }

/** What the whole came to, and how what git cannot merge is settled. */
interface Laying {
  settle: (merged: MergedTrees) => Promise<MergeResult>
  tree: TreeId
  note: string
}

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
  { settle, tree, note }: Laying,
): Promise<{ commit: CommitId } | { squashed: string } | null> {
  const start = await treeOf(clone, request.onto)
  const laid: Laid[] = []
  for (const one of request.replay.commits) {
    const before = laid.at(-1)?.tree ?? start
    const after = await lay(clone, { one, onto: before, settle, message: request.message })
    if (after === null) return { squashed: `its commit ${named(one)} does not fit onto the line by itself` }
    // What the line has already would be a commit without a change.
    if (after !== before) laid.push({ ...one, tree: after })
  }
  while (laid.length > 0 && (laid.at(-2)?.tree ?? start) === tree) laid.pop()
  return laid.length === 0 ? null : { commit: await commitAll(clone, request, { laid, tree, note }) }
}

async function lay(
  clone: Clone,
  { one, onto, settle, message }: { one: Replayed; onto: TreeId; message: CommitMessage } & Pick<Laying, 'settle'>,
): Promise<TreeId | null> {
  const [base, theirs] = await Promise.all([treeOf(clone, one.parent), treeOf(clone, one.commit)])
  if (base === onto) return theirs
  const merged = await mergeTrees(clone, { base: one.parent, message, trees: { base, ours: onto, theirs } })
  const { tree, files } = await settle(merged)
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
    const plain = by?.message ?? messageText({ ...message, body: '', trailers: [] })
    const text = isLast ? lastText(message, { by, addition, note }) : plain
    const content = { parents: [parent], text, at: message.at, author: by?.author ?? null }
    parent = await commitText(clone, { ...content, tree: isLast ? tree : own })
  }
  return parent
}

/** The message of a story's last commit: the coder's own where there is one, with our trailers beside theirs. */
function lastText(
  message: CommitMessage,
  { by, addition, note }: { by: Replayed['by']; addition: string; note: string },
): string {
  if (by === null) return messageText({ ...message, body: joined([message.body, note]) })
  const paragraphs = by.message.trim().split(/\n(?:[ \t]*\n)+/)
  const theirs = paragraphs.length > 1 && paragraphs.at(-1)!.split('\n').every(isTrailer) ? paragraphs.pop()! : ''
  const ours = message.trailers.map(([key, value]) => `${key}: ${value}`)
  const trailers = [...(theirs === '' ? [] : [theirs]), ...ours].join('\n')
  return `${joined([...paragraphs, addition, note, trailers])}\n`
}

const joined = (parts: string[]): string => parts.filter((part) => part !== '').join('\n\n')

const isTrailer = (line: string): boolean => /^[A-Za-z][A-Za-z0-9-]*: \S/.test(line)
