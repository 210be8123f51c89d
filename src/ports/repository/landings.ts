import type { CommitId } from '../../delivery/ids.ts'

/** Refs of ours, in our own clone. */
export interface Refs {
  /** Compare-and-swap of a ref of ours (under refs/ropewalk/). True also when it is there already. */
  moveRef(ref: string, from: CommitId | null, to: CommitId): Promise<boolean>
  readRef(ref: string): Promise<CommitId | null>
  refs(prefix: string): Promise<{ ref: string; commit: CommitId }[]>
  deleteRef(ref: string): Promise<void>
}

/** Takes a delivery with all its commits to another machine. */
export interface Bundles {
  /** A delivery's refs and its base, with all that they reach, in a file that needs nothing else. */
  writeBundle(request: { delivery: string; base: CommitId; file: string }): Promise<void>
  /** Into our clone, under the refs of this delivery and no others; a file that is no such bundle is a TerminalError. */
  readBundle(request: { delivery: string; file: string }): Promise<void>
}

/** All that is ever written in the user's repository. */
export interface Landings {
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
