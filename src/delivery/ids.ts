// Names for what would otherwise all be `string`.
export type DeliveryId = string
export type StoryId = string
export type CommitId = string
export type TreeId = string
export type StepId = string
export type QuestionId = string
/** A commit with its tree, and what its diff is measured against. */
export interface Work {
  base: CommitId
  commit: CommitId
  tree: TreeId
}

/** Milliseconds since the epoch. */
export type Instant = number

/** Who takes a turn. */
export interface Who {
  agent: string
  /** Null: the one that the agent has by itself. */
  model: string | null
}
