import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Author } from '../../ports/repository/commits.ts'
import type { CommitMessage } from '../../ports/repository/workspaces.ts'
import { invariant } from '../../std/never.ts'
import { type Clone, type Identity, inClone } from './clone.ts'
import { lineOf } from './run.ts'

/** A commit whose id follows from these values and the identity alone. */
export const commitTree = (
  clone: Clone,
  { tree, parents, message }: { tree: TreeId; parents: CommitId[]; message: CommitMessage },
): Promise<CommitId> => commitText(clone, { tree, parents, text: textOf(message), at: message.at, author: null })

/** The same with a message that is written already; `author` null: whoever commits. */
export async function commitText(
  clone: Clone,
  content: { tree: TreeId; parents: CommitId[]; text: string; at: number; author: Author | null },
): Promise<CommitId> {
  const { tree, text, at, author } = content
  const parents = content.parents.flatMap((parent) => ['-p', asCommit(parent)])
  const output = await inClone(clone, ['commit-tree', asCommit(tree), ...parents, '-F', '-'], {
    env: { ...signature(clone.identity ?? fallback, at), ...(author === null ? {} : authorship(author)) },
    input: text,
  })
  const commit = lineOf(output)
  clone.trees.set(commit, tree)
  return commit
}

export async function treeOf(clone: Clone, commit: CommitId): Promise<TreeId> {
  const known = clone.trees.get(commit)
  if (known !== undefined) return known
  const tree = lineOf(await inClone(clone, ['rev-parse', '--verify', `${asCommit(commit)}^{tree}`]))
  clone.trees.set(commit, tree)
  return tree
}

/** Guards every id that becomes an argument. */
export function asCommit(id: string): string {
  invariant(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id), `"${id}" is not an object id`)
  return id
}

export const fallback: Identity = { name: 'Ropewalk', email: 'ropewalk@localhost' }

export function signature(identity: Identity, at: number): Record<string, string> {
  const date = `@${Math.floor(at)} +0000`
  return {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    GIT_COMMITTER_DATE: date,
  }
}

const authorship = ({ name, email, date }: Author): Record<string, string> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_AUTHOR_DATE: `@${date}`,
})

export function textOf(message: CommitMessage): string {
  const trailers = message.trailers.map(([key, value]) => `${key}: ${value}`).join('\n')
  const parts = [message.subject, message.body.trim(), trailers].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n`
}
