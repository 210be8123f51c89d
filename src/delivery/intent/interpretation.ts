import type { Ambiguity, WorkKind } from './context.ts'

/** What we take the requirement to mean. */
export interface Interpretation {
  workKind: WorkKind
  ambiguity: Ambiguity
  reading: StructuredReading
  /** At least one, unless the intent was not looked into. */
  rivals: Rival[]
  assumptions: Assumption[]
  /** The one question most worth asking. */
  question: string
  /** Whether the reading can be defended when nobody answers. */
  defensible: boolean
  /** Values that the work needs and nobody gives: they are asked for, never made up. */
  missing: string[]
  /** What the whole must fulfil. */
  criteria: string[]
}

/** Structured, so that plain code can compare two of them. */
export interface StructuredReading {
  summary: string
  terms: { term: string; meaning: string }[]
  /** What somebody could observe when it is done. */
  behaviours: string[]
  files: string[]
  size: 'small' | 'medium' | 'large'
  /** What would come out otherwise under a rival reading. Empty: its reader gave none. */
  examples: Example[]
}

/** What goes in, and what comes out if it is built as the reading says. */
export interface Example {
  input: string
  output: string
}

/** An example of one seat, tried on the reading of another. */
export interface TriedExample extends Example {
  /** Whose example it is. */
  of: Seat
  /** Whether the other reading has it so. */
  verdict: 'yes' | 'no' | 'unknown'
  why: string
}

export interface Rival {
  /** The single word that, read differently, changes the work most. */
  word: string
  reading: StructuredReading
  evidence: string
}

export interface Assumption {
  id: string
  claim: string
  evidence: string
  /** What to look for in the code; finding it shows that the claim is wrong. */
  falsifier: string
  stakes: 'high' | 'low'
}

export interface CheckedAssumption {
  id: string
  claim: string
  verdict: 'holds' | 'refuted' | 'unknown'
  evidence: string
  file: string | null
  line: number | null
}

/** `first`, and with the facts that refuted it `again`; `second`: independent of it; challengers: of other model families. */
export const seats = ['first', 'again', 'second', 'challenger-1', 'challenger-2'] as const
export type Seat = (typeof seats)[number]
