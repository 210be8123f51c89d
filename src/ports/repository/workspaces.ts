import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Policy } from '../../delivery/policy.ts'

/** Where an agent or a human works. */
export interface Workspaces {
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
}

/** Where a commit is looked at, and commands run on it. */
export interface CleanPlaces {
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
   * Copies files that the user's checkout has and git ignores there (globs) into a place, never through a link and
   * never over what is there; they are in no commit of ours. Returns what they say, so that it can be kept secret.
   */
  lendFiles(request: { patterns: string[]; place: string }): Promise<{ path: string; text: string }[]>
}

/** In a place that looks like a checkout. */
export const borrowedObjects = '.git/objects/borrowed'

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

export type MergeMethod = Policy['mergeMethod']
