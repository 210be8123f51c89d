import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Author } from '../../ports/repository/commits.ts'
import type { VariantFile } from '../../ports/repository/composing.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { invariant } from '../../std/never.ts'
import type { Clone, Identity } from './clone.ts'
import { type Edits, editTree, writeObject } from './objects/write.ts'

/** A commit whose id follows from these values and the identity alone. */
export const commitTree = (
  clone: Clone,
  { tree, parents, message }: { tree: TreeId; parents: CommitId[]; message: CommitMessage },
): Promise<CommitId> => commitText(clone, { tree, parents, text: messageText(message), at: message.at, author: null })

/** The same with a message that is written already; `author` null: whoever commits. */
export function commitText(
  { gitDir, identity }: Clone,
  content: { tree: TreeId; parents: CommitId[]; text: string; at: number; author: Author | null },
): Promise<CommitId> {
  const { tree, text, at, author } = content
  const committer = signed({ ...(identity ?? fallback), date: `${Math.floor(at)} +0000` })
  const lines = [
    `tree ${asCommit(tree)}`,
    ...[...new Set(content.parents)].map((parent) => `parent ${asCommit(parent)}`),
    `author ${author === null ? committer : signed(author)}`,
    `committer ${committer}`,
    '',
    text.replaceAll('\0', ''),
  ]
  return writeObject(gitDir, 'commit', Buffer.from(lines.join('\n')))
}

/** As git signs: nothing that would end a name or an address, and no punctuation around it. */
function signed({ name, email, date }: Author): string {
  const plain = (text: string): string => text.replace(/[<>\n]/g, '').replace(/^[\s.,:;"\\']+|[\s.,:;"\\']+$/g, '')
  return `${plain(name) || fallback.name} <${plain(email)}> ${date}`
}

export const treeOf = async (clone: Clone, commit: CommitId): Promise<TreeId> =>
  (await clone.objects.commit(asCommit(commit))).tree

/** Guards every id that becomes an argument. */
export function asCommit(id: string): string {
  invariant(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id), `"${id}" is not an object id`)
  return id
}

export const fallback: Identity = { name: 'Ropewalk', email: 'ropewalk@localhost' }

export function messageText(message: CommitMessage): string {
  const trailers = message.trailers.map(([key, value]) => `${key}: ${value}`).join('\n')
  const parts = [message.subject, message.body.trim(), trailers].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}

/** Who, when, why and what came before stay: only the tree is another, and a signature would not hold for it. */
export async function variant(
  clone: Clone,
  commit: CommitId,
  files: VariantFile[],
): Promise<{ commit: CommitId; tree: TreeId }> {
  const before = await treeOf(clone, commit)
  const tree = await editTree(clone, before, await editsOf(clone, before, files))
  if (tree === before) return { commit, tree }
  const text = (await clone.objects.content(asCommit(commit))).toString('latin1')
  const made = text.replace(/^tree [0-9a-f]+/, `tree ${tree}`).replace(/^gpgsig(?:-sha256)? .*\n(?: .*\n)*/m, '')
  return { commit: await writeObject(clone.gitDir, 'commit', Buffer.from(made, 'latin1')), tree }
}

async function editsOf(clone: Clone, own: TreeId, files: VariantFile[]): Promise<Edits> {
  const edits = files.map(async (file) => {
    const tree = 'from' in file ? await treeOf(clone, file.from) : own
    const entry = await clone.objects.entryAt(tree, file.path)
    if (!('text' in file)) return [file.path, entry] as const
    const object = await writeObject(clone.gitDir, 'blob', Buffer.from(file.text))
    return [file.path, { mode: entry?.mode ?? '100644', object }] as const
  })
  return new Map(await Promise.all(edits))
}
