import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Author } from './commits.ts'
import type { CommitMessage, MergeMethod } from './workspaces.ts'

/** Puts changes onto each other. It makes commits, and moves no ref. */
export interface Composer {
  /**
   * The story's change (base..commit) on top of `onto`, as one commit whose id depends on its inputs, and on what was
   * settled, alone. With the method `merge` its second parent is the story's own commit. With `rebase` the commits of
   * `replay` are laid one by one; the last one has exactly the tree that the one commit would have. Where one of them
   * does not fit, it is one commit after all, and `squashed` says why.
   */
  compose(request: {
    onto: CommitId
    base: CommitId
    commit: CommitId
    message: CommitMessage
    method?: MergeMethod
    replay?: Replay | null
    /** Asked once, and once for each that is replayed, about what git cannot merge, and what it merged line by line. Without it, all stays as git has it. */
    settle?: Settle
  }): Promise<Composed>
  /**
   * The commit with some of its files changed: given as text, as they are on another commit, or, where they are not
   * there, gone. All else about it is as it was, and its id depends on its inputs alone. No ref holds it: whoever needs
   * it again makes it again. The commit itself where nothing differs.
   */
  variant(commit: CommitId, files: VariantFile[]): Promise<{ commit: CommitId; tree: TreeId }>
}

export type VariantFile = { path: string; from: CommitId } | { path: string; text: string }

export interface Replay {
  /** Oldest first. What changed between `parent` and `commit` is laid on what came of the one before. */
  commits: Replayed[]
  /** Goes into the message of the last one, besides our trailers; empty: nothing to say. */
  addition: string
}

export interface Replayed {
  commit: CommitId
  parent: CommitId
  /** Null: we made it ourselves, and it says what the story says. */
  by: { author: Author; message: string } | null
}

export type Composed =
  | { status: 'composed'; commit: CommitId; tree: TreeId; squashed: string | null }
  /** `commit` holds the merge with conflict markers on top of `onto`. */
  | { status: 'conflict'; commit: CommitId; files: Conflict[] }

/** A file that git cannot merge, with its three sides; null where it does not exist. `ours` is the line's. */
export interface Conflict {
  path: string
  kind:
    | 'content'
    | 'delete'
    | 'rename'
    | 'mode'
    | 'binary'
    | 'submodule'
    /** A pointer to a large file, as Git LFS commits it. */
    | 'pointer'
    | 'link'
    /** Another name on the line differs from it only in case. */
    | 'name'
    | 'other'
  detail: string
  base: Side | null
  ours: Side | null
  theirs: Side | null
  /** What .gitattributes asks for: `merge=union`. */
  union: boolean
}

export interface Side {
  mode: string
  object: string
  /** Null for what is no file. */
  bytes: number | null
  /** Of a link its target. Null for what is no text in UTF-8, no file, or over 1 MB. */
  text: string | null
}

export type Settle = (conflicts: Conflict[], merged: MergedLines[]) => Promise<Settlement>

/** A file that both sides changed and git merged line by line: no conflict, unless it is settled as an open one. */
export type MergedLines = Conflict & { result: Side }

export interface Settlement {
  files: Settled[]
  /** Becomes the last paragraph of the message's body; empty: nothing to say. */
  note: string
}

export interface Settled {
  path: string
  /** Null: the file goes. */
  content: { mode: string; text: string } | { mode: string; object: string } | null
  /** Only there to go on with: the file stays in conflict. */
  open: boolean
}
