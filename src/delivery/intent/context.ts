/** What was known before anybody read the requirement: recorded first, so that every later prompt can be rebuilt. */
export interface Harvest {
  /** Told without a model. */
  workKind: WorkKind
  /** Whether the repository says anywhere what it is and wants to be. */
  hasIdentity: boolean
  /** Whether its commits begin with the kind of work, such as `fix: `. */
  isPrefixed: boolean
  clarity: RequirementCheck[]
  signals: Signal[]
  items: ContextItem[]
  /** What is there and did not fit. */
  left: { source: string; bytes: number; why: string }[]
  /** Where two tiers say otherwise: the higher one holds. */
  conflicts: { about: string; holds: string; yields: string }[]
  /** Sources that could not be reached. */
  unreachable: { source: string; why: string }[]
  /** What the addresses in the requirement led to when they were read, which is done once. */
  references: Reference[]
}

export interface Reference {
  /** The address as it is written. */
  source: string
  /** As its server calls it; empty: it does not say. */
  type: string
  /** Of all that was read of it, in the blob store; a text without secrets, and of a page its prose. */
  digest: string
  bytes: number
  isText: boolean
  /** False: it is longer than what is read. */
  whole: boolean
}

export const workKinds = ['fix', 'feature', 'refactor', 'architectural', 'chore'] as const
export type WorkKind = (typeof workKinds)[number]

export const ambiguities = ['clear', 'uncertain', 'ambiguous'] as const
export type Ambiguity = (typeof ambiguities)[number]

export const requirementRules = ['unambiguous', 'testable', 'one-goal', 'criteria', 'scoped'] as const

export interface RequirementCheck {
  rule: (typeof requirementRules)[number]
  passed: boolean
  why: string
}

/** Something in the text or around it that makes the requirement less clear, and how much. */
export interface Signal {
  name: string
  sets: Ambiguity
  evidence: string
}

/** 0: what the project is. 1: the task's own sources. 2: conversations and documents. 3: the code. */
export type ContextTier = 0 | 1 | 2 | 3

export interface ContextItem {
  tier: ContextTier
  /** A path, an address, or what it was derived from. */
  source: string
  /** Of its text, in the blob store. */
  digest: string
  bytes: number
}

/** What was asked, word for word, on record before anybody works on it. */
export interface Requirement {
  text: string
  /** Where it came from: a file, an address, the command line. */
  source: string
  submitter: string
  /** What else its source says of it, where that has more than a text: the body of an issue, what it links to. */
  body?: string
  links?: string[]
}
