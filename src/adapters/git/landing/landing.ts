import type { CommitId } from '../../../delivery/ids.ts'

export interface Landing {
  branch: string
  from: CommitId
  to: CommitId
}

/** One checkout of the branch that is landed on: the main one or a linked worktree. */
export interface Tree {
  path: string
  gitDir: string
  index: string
  lock: string
  /** Our copy of the index while we work on it; another landing that tries at the same time has its own. */
  scratch: string
  /** A landing of the same was killed here. */
  interrupted: boolean
}
