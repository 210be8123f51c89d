import type { CommitId, StoryId, TreeId } from '../ids.ts'
import type { Finding } from '../judging/finding.ts'
import type { Land } from '../step.ts'

/** The delivery's own branch, and how far the target has followed it. */
export interface LineState {
  tip: CommitId
  /** Null while the tip is a commit of the target that we have not judged. */
  tree: TreeId | null
  /** Where we last saw the target. */
  target: CommitId
  /** Stories that are composed on top of the tip and of each other, in order, and have not joined yet. */
  train: StoryId[]
  /** What is on the line and not landed yet, in order. */
  commits: { story: StoryId; commit: CommitId; tree: TreeId }[]
  landings: number
  /** Started and without an outcome: it stays due, whatever else is wanted, for the target may have moved. */
  begun: Land | null
  /** Checkouts of the target that it is about to change; null: it has not come that far. */
  begunIn: string[] | null
  landing: Landing
  /** Set when the tip failed a judge, until something joins. */
  whole: Whole | null
  /** How often a judge of the tip gave no verdict, in a row. */
  silences: number
  /** Stories that were added to mend it. */
  mends: number
}

export interface Whole {
  commit: CommitId
  findings: Finding[]
  /** Why no judge has a word on it, however often it was asked. */
  silence: string
  /** The story that is to mend it. */
  mend: StoryId | null
}

export type Landing =
  | { status: 'idle' }
  /** The checkout is dirty, or the target moved too often: a human says when. */
  | { status: 'waiting'; message: string }
  /** A human said that the result stays on the line. */
  | { status: 'left' }
