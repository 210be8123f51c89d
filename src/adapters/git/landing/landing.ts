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
  /** Another landing was, and whoever did it has ended. */
  left: Landing | null
}

export interface LandingRequest extends Landing {
  /** Checkouts that an earlier start of the same landing began to change; null: none was about to. */
  begunIn?: string[] | null
  /** Puts on record which checkouts are about to change; nothing does before it has returned. */
  begins?: (checkouts: string[]) => Promise<void>
}
