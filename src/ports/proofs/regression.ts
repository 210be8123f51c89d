import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy, Policy } from '../../delivery/policy.ts'
import type { FirstParent } from '../repository/commits.ts'

/**
 * Finds the commit with which a check became red. The user's repository is only read: the checks run in clean places
 * of ours, and a revert is composed in our own clone. Throws TerminalError for a commit that is not there.
 */
export interface RegressionSearch {
  /** From the commit before the first landed story after `since` (null: ever) to `tip`. Empty: there is no such story. */
  course(request: { tip: CommitId; since: CommitId | null }): Promise<Point[]>
  /** Of files of the checkout that a command names: tests, and what the tip does not have. Others are what is searched. */
  laidOver(request: { tip: CommitId; files: LaidFile[] }): Promise<LaidFile[]>
  search(request: SearchRequest): Promise<Search>
}

/** Every commit is tried with it, whatever it has there. */
export interface LaidFile {
  path: string
  text: Uint8Array
}

/** A commit on the way to the tip, along first parents. */
export interface Point extends FirstParent {
  /** Null: somebody else's. */
  story: { delivery: string; story: string } | null
}

export interface SearchRequest {
  /** Oldest first; the first one is where the search begins. */
  course: Point[]
  /** In their order; the first that is red at the tip is searched for. */
  checks: CheckPolicy[]
  policy: Policy
  overlay: LaidFile[]
  signal: AbortSignal
  onStart(run: RunBegun): void
  onRun(run: RunTold): void
}

export interface RunBegun {
  check: string
  /** Null: the tip with the revert. */
  point: Point | null
  /** The same commit once more, to be sure. */
  again: boolean
  /** Of this check. */
  number: number
  most: number
}

export interface RunTold extends RunBegun {
  point: Point
  /** `unclear`: it fails otherwise than at the tip. */
  word: 'green' | 'red' | 'unclear'
  message: string
  durationMs: number
}

export type Search =
  | { status: 'green'; checks: string[]; runs: number }
  /** RedCheck and green on one commit: nobody is to blame. */
  | (RedCheck & { status: 'flaky'; at: Point; tests: string[] })
  /** RedCheck already before the first landed story. */
  | (RedCheck & { status: 'before'; at: Point })
  /** One of several, since commits between them fail otherwise. */
  | (RedCheck & { status: 'unclear'; suspects: Point[] })
  /** RedCheck since a commit that is no story of ours. */
  | (RedCheck & { status: 'foreign'; at: Point; before: string[] })
  | (RedCheck & {
      status: 'found'
      at: Point
      /** All commits of its story, oldest first. */
      commits: Point[]
      /** Failures that were there before the first landed story, too. */
      before: string[]
      revert: Revert
    })

export interface RedCheck {
  check: string
  command: string
  message: string
  failures: Failure[]
  /** The end of the output, where no failure has a name. */
  tail: string
  runs: number
}

export interface Failure {
  file: string | null
  line: number | null
  test: string
  error: string
}

export type Revert =
  | { status: 'conflict'; files: string[] }
  /** Nothing of it is left at the tip. */
  | { status: 'empty' }
  /** `mended`: what began with it is gone. `red`: the checks that are red with it, of all that there are. */
  | { status: 'applies'; mended: boolean; red: { check: string; message: string }[] }
