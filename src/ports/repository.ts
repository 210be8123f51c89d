import type { CommitId, TreeId } from '../delivery/ids.ts'
import type { Policy } from '../delivery/policy.ts'
import type { CommitText, UserRepository } from './proofs/user-repository.ts'

/**
 * Our own bare clone of one user repository, and the way to land in the user's.
 * The user's repository is read, and written only by `land`. Throws TransientError for a held lock,
 * TerminalError when the repository is gone, damaged, or the disk is full.
 */
export interface Repository {
  /** Fetches the user's branch into our clone; returns its tip. */
  fetchTarget(branch: string): Promise<CommitId>
  /** Brings a commit of the user's into our clone, wherever it is there. */
  fetchCommit(commit: CommitId): Promise<void>
  /**
   * Brings what is proposed under a number (a pull or merge request) from the remote of the user's repository into our
   * clone; returns its tip. TerminalError without a remote, or when it knows no such number.
   */
  fetchPull(number: number): Promise<CommitId>
  /** What two commits have in common last; null: nothing. */
  mergeBase(one: CommitId, other: CommitId): Promise<CommitId | null>
  treeOf(commit: CommitId): Promise<TreeId>
  readCommit(commit: CommitId): Promise<CommitText>
  /** A file's text at a commit; null when it is not there or is not a file. */
  readFile(commit: CommitId, path: string): Promise<string | null>
  listFiles(commit: CommitId): Promise<string[]>
  /** About what its files take on a disk. */
  sizeOf(commit: CommitId): Promise<number>
  /** Many files at once, by path. Left out: what is not there, is no plain file, or is over 1 MB. */
  readFiles(commit: CommitId, paths: readonly string[]): Promise<Map<string, Uint8Array>>
  /** Lines of text files that hold one of these words, in whatever case; of each file the first `perFile`. Bounded. */
  search(request: { commit: CommitId; words: string[]; perFile: number }): Promise<FoundLine[]>
  /** The last commits up to this one that changed one of these files (none: all commits), the latest first. */
  touching(request: { commit: CommitId; paths: string[]; limit: number }): Promise<TouchingCommit[]>
  /**
   * The last commits up to this one that are no merges, the latest first, each with the files that it changed; with
   * `since` only those that it does not lead to.
   */
  recentChanges(request: { commit: CommitId; limit: number; since?: CommitId | null }): Promise<RecentChange[]>
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
  /**
   * Everything in the workspace (committed by the agent or not, ignored files left out) as one commit on `base`. With
   * the method `rebase` it is on the agent's own commits, where these lead back to what the workspace began with.
   */
  harvest(request: { path: string; base: CommitId; message: CommitMessage; method?: MergeMethod }): Promise<Snapshot>
  /** Archives what is in it, unless it is one of `kept`, which refs of ours hold already; then removes it. */
  closeWorkspace(request: { path: string; archiveAs: string; kept: CommitId[] }): Promise<Archived | null>

  /**
   * Copies files that the user's checkout has and git ignores there (globs) into a place, never through a link and
   * never over what is there; they are in no commit of ours. Returns what they say, so that it can be kept secret.
   */
  lendFiles(request: { patterns: string[]; place: string }): Promise<{ path: string; text: string }[]>

  /** A clean place that holds exactly the commit's files and shares no inode with any workspace. */
  exportTree(commit: CommitId, path: string): Promise<void>
  /**
   * Makes a clean place look like a checkout of this branch: a .git with the commit, and files as old as it is. Its
   * objects are ours: whoever runs in it must find `objectsFolder` at `borrowedObjects` in the place.
   */
  dressPlace(request: { path: string; commit: CommitId; branch: string }): Promise<void>
  objectsFolder: string
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

  /**
   * The commits that lead from `from` to `to`, oldest first, along first parents; at most the last `limit` of them.
   */
  history(request: { from: CommitId; to: CommitId; limit: number }): Promise<Ancestor[]>
  /** The same with everything that they say, the first `limit` of them. */
  commits(request: { from: CommitId; to: CommitId; limit: number }): Promise<WholeCommit[]>
  /** All that led to `tip`, oldest first, along first parents, as far as this clone reaches. */
  firstParents(tip: CommitId): Promise<{ commit: CommitId; parents: CommitId[]; author: string; subject: string }[]>

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

  /** Compare-and-swap of a ref of ours (under refs/ropewalk/). True also when it is there already. */
  moveRef(ref: string, from: CommitId | null, to: CommitId): Promise<boolean>
  readRef(ref: string): Promise<CommitId | null>
  refs(prefix: string): Promise<{ ref: string; commit: CommitId }[]>
  deleteRef(ref: string): Promise<void>
  /** A delivery's refs and its base, with all that they reach, in a file that needs nothing else. */
  writeBundle(request: { delivery: string; base: CommitId; file: string }): Promise<void>
  /** Into our clone, under the refs of this delivery and no others; a file that is no such bundle is a TerminalError. */
  readBundle(request: { delivery: string; file: string }): Promise<void>

  /**
   * Moves the user's branch from `from` to `to`, by compare-and-swap; a checked-out branch only when it is clean. What a
   * killed landing has left is finished first, also one of another delivery: files that it left half-written are written
   * anew, those that somebody has edited since stay. `begins` puts on record which checkouts are about to change, and
   * nothing does before it returns; `begunIn` is what an earlier start put there, null where there was none.
   */
  land(request: {
    branch: string
    from: CommitId
    to: CommitId
    begunIn?: string[] | null
    begins?: (checkouts: string[]) => Promise<void>
  }): Promise<LandResult>
  /** Gives back what a killed landing holds in the user's checkouts; only for one that has not moved the branch. */
  giveUpLanding(request: { branch: string; from: CommitId; to: CommitId }): Promise<void>
  /**
   * Notes on commits, under a ref of our own in the user's repository (refs/notes/ropewalk), in one commit by
   * compare-and-swap; what others have noted there stays. `add` makes a commit's note of its present one, or of
   * nothing; what comes out as it was is not written. Refused: the ref cannot be written, and nothing has changed.
   */
  addNotes(request: { at: number; notes: NoteChange[] }): Promise<NotesResult>
  /** What is noted there now, by commit; left out: what has no note. */
  readNotes(commits: CommitId[]): Promise<Map<CommitId, string>>
  /** Facts about the user's checkout, for preflight and for the check that nobody touched it. */
  checkout(): Promise<Checkout>
}

/** In a place that looks like a checkout. */
export const borrowedObjects = '.git/objects/borrowed'

type MergeMethod = Policy['mergeMethod']

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

export type VariantFile = { path: string; from: CommitId } | { path: string; text: string }

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

export type LandResult =
  | { status: 'landed' }
  /** The branch is somewhere else now. */
  | { status: 'moved'; tip: CommitId }
  | { status: 'dirty'; tip: CommitId; files: string[]; worktree: string }
  /** A filter of the user fails for a file that lands; `said` is what git says of it, with the file's name. */
  | { status: 'unfiltered'; tip: CommitId; said: string; worktree: string }

export interface NoteChange {
  commit: CommitId
  add: (present: string) => string
}

export type NotesResult = { status: 'written' | 'unchanged' } | { status: 'refused'; reason: string }

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
  /** Of the repository that contains this path. */
  look(path: string): Promise<UserRepository>
}
