import type { CommitId, TreeId } from '../../delivery/ids.ts'

export interface CommitText {
  tree: TreeId
  message: string
}

/** The user's repository as it is, read only, without a clone of ours and without the network. */
export interface UserRepository {
  shallow: boolean
  /** Whether refs/notes/ropewalk is there at all. */
  hasNotes: boolean
  /** Where git is told whose ssh signatures count; null: nowhere. */
  signersFile: string | null
  /** What a revision or a range names, oldest first, along the first parents; null: git knows no such thing. */
  commits(revision: string): Promise<CommitId[] | null>
  readCommit(commit: CommitId): Promise<CommitText>
  /** Null: it has none. `text` is null when it is over `maxBytes`. */
  readNote(commit: CommitId, maxBytes: number): Promise<{ text: string | null; bytes: number } | null>
  readFile(commit: CommitId, path: string): Promise<string | null>
  /** False also when one of them is not here. */
  isAncestor(ancestor: CommitId, descendant: CommitId): Promise<boolean>
}
