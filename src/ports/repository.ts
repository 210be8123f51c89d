import type { CommitId, TreeId } from '../delivery/ids.ts'

/**
 * Our own bare clone of one user repository, and the way to land in the user's.
 * The user's repository is read, and written only by `land`. Throws TransientError for a held lock,
 * TerminalError when the repository is gone, damaged, or the disk is full.
 */
export interface Repository {
  /** Fetches the user's branch into our clone; returns its tip. */
  fetchTarget(branch: string): Promise<CommitId>
  treeOf(commit: CommitId): Promise<TreeId>
  /** A file's text at a commit; null when it is not there or is not a file. */
  readFile(commit: CommitId, path: string): Promise<string | null>
  listFiles(commit: CommitId): Promise<string[]>
  /** Many files at once, by path. Left out: what is not there, is no plain file, or is over 1 MB. */
  readFiles(commit: CommitId, paths: readonly string[]): Promise<Map<string, Uint8Array>>
  /** What changed between two commits, renames found, binary files marked. */
  diff(from: CommitId, to: CommitId): Promise<FileChange[]>
  /** The same as a unified patch, for people and prompts. Bounded: cut, and says so, over `maxBytes`. */
  patch(from: CommitId, to: CommitId, maxBytes: number): Promise<string>
  isAncestor(ancestor: CommitId, descendant: CommitId): Promise<boolean>

  /**
   * The workspace of a coding attempt at a fixed path, holding exactly `at` and nothing else, unless it exists already:
   * then ignored files, such as installed dependencies, or all files stay, as told. What is in it is archived first;
   * the ref and commit are returned (null: there was nothing to lose).
   */
  openWorkspace(request: {
    path: string
    at: CommitId
    archiveAs: string
    stays: 'none' | 'ignored' | 'all'
  }): Promise<{ created: boolean; archived: Archived | null }>
  /** Everything in the workspace (committed by the agent or not, ignored files left out) as one commit on `base`. */
  harvest(request: { path: string; base: CommitId; message: CommitMessage }): Promise<Snapshot>
  /** Archives what is in it, unless it is one of `kept`, which refs of ours hold already; then removes it. */
  closeWorkspace(request: { path: string; archiveAs: string; kept: CommitId[] }): Promise<Archived | null>

  /** A clean place that holds exactly the commit's files and shares no inode with any workspace. */
  exportTree(commit: CommitId, path: string): Promise<void>
  /** Files changed in an exported place, taken as a new commit on `base` (only the given paths). */
  commitPlace(request: {
    path: string
    commit: CommitId
    base: CommitId
    only: string[]
    message: CommitMessage
  }): Promise<Snapshot & { changed: string[] }>
  /** Nobody uses it any more: it is not there afterwards, and what is left of it makes the next export beside it fast. */
  leavePlace(path: string): Promise<void>
  removePlace(path: string): Promise<void>
  /** All places in a folder, also what is left of earlier ones. */
  removePlaces(folder: string): Promise<void>

  /** The story's change (base..commit) on top of `onto`, as one commit whose id depends on its inputs alone. */
  compose(request: { onto: CommitId; base: CommitId; commit: CommitId; message: CommitMessage }): Promise<Composed>

  /** Compare-and-swap of a ref of ours (under refs/ropewalk/). True also when it is there already. */
  moveRef(ref: string, from: CommitId | null, to: CommitId): Promise<boolean>
  readRef(ref: string): Promise<CommitId | null>
  refs(prefix: string): Promise<{ ref: string; commit: CommitId }[]>
  deleteRef(ref: string): Promise<void>

  /** Moves the user's branch from `from` to `to`, by compare-and-swap; a checked-out branch only when it is clean. */
  land(request: { branch: string; from: CommitId; to: CommitId }): Promise<LandResult>
  /** Gives back what a killed landing holds in the user's checkouts; only for one that has not moved the branch. */
  giveUpLanding(request: { branch: string; from: CommitId; to: CommitId }): Promise<void>
  /** Facts about the user's checkout, for preflight and for the check that nobody touched it. */
  checkout(): Promise<Checkout>
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
  /** Contents; null for binary files, absent sides, and files over 1 MB. */
  before: string | null
  after: string | null
}

export interface Snapshot {
  commit: CommitId
  tree: TreeId
  /** True when the tree equals the base's. */
  empty: boolean
}

export interface Archived {
  ref: string
  commit: CommitId
}

export interface CommitMessage {
  subject: string
  body: string
  trailers: [string, string][]
  /** Seconds since the epoch: part of the commit's id, so given, never taken from the clock. */
  at: number
}

export type Composed =
  | { status: 'composed'; commit: CommitId; tree: TreeId }
  /** `commit` holds the merge with conflict markers on top of `onto`. */
  | { status: 'conflict'; commit: CommitId; files: ConflictFile[] }

export interface ConflictFile {
  path: string
  kind: 'content' | 'delete' | 'rename' | 'mode' | 'binary' | 'other'
  detail: string
}

export type LandResult =
  | { status: 'landed' }
  /** The branch is somewhere else now. */
  | { status: 'moved'; tip: CommitId }
  | { status: 'dirty'; tip: CommitId; files: string[]; worktree: string }

export interface Checkout {
  bare: boolean
  /** Null when HEAD is detached. */
  branch: string | null
  head: CommitId | null
  dirtyFiles: string[]
  branches: string[]
  identity: { name: string; email: string } | null
}

/** Opens (and on first use makes) our clone of a user repository. */
export interface Repositories {
  /** The user's repository that contains this path. TerminalError, with a remedy, when there is none or it has no commit. */
  find(path: string): Promise<{ id: string; path: string }>
  open(repository: { id: string; path: string }): Promise<Repository>
}
