import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Composed, Conflict, Replay, Replayed, Settle, Settled } from '../../ports/repository/composing.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import type { AskedOf, Clone } from './clone.ts'
import { commitText, commitTree, editTree, messageText, treeOf, writeObject } from './commit.ts'
import { commitSubject, isAncestor } from './history.ts'
import { type MergedTrees, type MergeResult, mergeTrees } from './merge-trees.ts'

type Request = AskedOf<'compose'>

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

type Replaying = Request & { replay: Replay }

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
  request: Replaying,
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
  { onto, message, replay: { addition } }: Replaying,
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
