import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { CommitText } from '../proofs/user-repository.ts'

/** What is in commits, read from our own clone. */
export interface Commits {
  treeOf(commit: CommitId): Promise<TreeId>
  readCommit(commit: CommitId): Promise<CommitText>
  /** A file's text at a commit; null when it is not there or is not a file. */
  readFile(commit: CommitId, path: string): Promise<string | null>
  listFiles(commit: CommitId): Promise<string[]>
  /** About what its files take on a disk. */
  sizeOf(commit: CommitId): Promise<number>
  /** Many files at once, by path. Left out: what is not there, is no plain file, or is over 1 MB. */
  readFiles(commit: CommitId, paths: readonly string[]): Promise<Map<string, Uint8Array>>
  /** What changed between two commits, renames found, binary files marked. */
  diff(from: CommitId, to: CommitId): Promise<FileChange[]>
  /** The same as a unified patch, for people and prompts. Bounded: cut, and says so, over `maxBytes`. */
  patch(from: CommitId, to: CommitId, maxBytes: number): Promise<string>
}

/** How commits follow from each other. */
export interface Ancestry {
  isAncestor(ancestor: CommitId, descendant: CommitId): Promise<boolean>
  /** What two commits have in common last; null: nothing. */
  mergeBase(one: CommitId, other: CommitId): Promise<CommitId | null>
  /**
   * The commits that lead from `from` to `to`, oldest first, along first parents; at most the last `limit` of them.
   */
  history(request: { from: CommitId; to: CommitId; limit: number }): Promise<Ancestor[]>
  /** The same with everything that they say, the first `limit` of them. */
  commits(request: { from: CommitId; to: CommitId; limit: number }): Promise<WholeCommit[]>
  /** All that led to `tip`, oldest first, along first parents, as far as this clone reaches. */
  firstParents(tip: CommitId): Promise<FirstParent[]>
}

/** Looks through files and history for what they say of something. */
export interface Searches {
  /** Lines of text files that hold one of these words, in whatever case; of each file the first `perFile`. Bounded. */
  search(request: { commit: CommitId; words: string[]; perFile: number }): Promise<FoundLine[]>
  /** The last commits up to this one that changed one of these files (none: all commits), the latest first. */
  touching(request: { commit: CommitId; paths: string[]; limit: number }): Promise<TouchingCommit[]>
  /**
   * The last commits up to this one that are no merges, the latest first, each with the files that it changed; with
   * `since` only those that it does not lead to.
   */
  recentChanges(request: { commit: CommitId; limit: number; since?: CommitId | null }): Promise<RecentChange[]>
}

/** Brings commits of the user's repository, which is only read, into our clone. */
export interface Fetches {
  /** Fetches the user's branch into our clone; returns its tip. */
  fetchTarget(branch: string): Promise<CommitId>
  /** Brings a commit of the user's into our clone, wherever it is there. */
  fetchCommit(commit: CommitId): Promise<void>
  /**
   * Brings what is proposed under a number (a pull or merge request) from the remote of the user's repository into our
   * clone; returns its tip. TerminalError without a remote, or when it knows no such number.
   */
  fetchPull(number: number): Promise<CommitId>
}

export interface FileChange {
  path: string
  /** For a rename or copy. */
  oldPath: string | null
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'type-changed'
  binary: boolean
  /** `100644`, `100755`, `120000`, `160000`; null where the side does not exist. */
  oldMode: string | null
  newMode: string | null
  /** Contents; null for absent sides, files over 1 MB, and of a binary change for all but a text of at most 1 KB. */
  before: string | null
  after: string | null
}

export interface FirstParent {
  commit: CommitId
  parents: CommitId[]
  author: string
  subject: string
}

export interface Ancestor {
  commit: CommitId
  parent: CommitId
  subject: string
}

export interface WholeCommit {
  commit: CommitId
  parents: CommitId[]
  tree: TreeId
  author: Author
  message: string
}

export interface Author {
  name: string
  email: string
  /** Seconds since the epoch, and the zone: `1700000000 +0200`. */
  date: string
}

export interface FoundLine {
  path: string
  line: number
  text: string
}

export interface TouchingCommit {
  commit: CommitId
  /** `2024-02-29` */
  day: string
  subject: string
}

export interface RecentChange {
  commit: CommitId
  /** Null: it is the first of all. */
  parent: CommitId | null
  author: string
  subject: string
  files: string[]
}
