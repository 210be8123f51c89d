import type { CommitId, StepId } from '../ids.ts'
import type { Assumption, CheckedAssumption, Example, Seat } from './interpretation.ts'

/** Collects what is known about the requirement, without a model, and records it. */
export interface HarvestContext {
  id: StepId
  verb: 'HarvestContext'
  story: null
  base: CommitId
}

/** An agent says what it takes the requirement to mean. */
export interface ReadRequirement {
  id: StepId
  verb: 'ReadRequirement'
  story: null
  seat: Seat
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** What the code was found to say against an earlier reading; with `again` only. */
  refuted: CheckedAssumption[]
  /** Why the answer before did not do. */
  problems: string[]
}

/** A reader says whether its reading has the examples of other readers so. */
export interface TryExamples {
  id: StepId
  verb: 'TryExamples'
  story: null
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** Whose reading they are held against. */
  seat: Seat
  examples: (Example & { of: Seat })[]
}

/** An agent that knows nothing but these claims looks for what would refute them. */
export interface CheckAssumptions {
  id: StepId
  verb: 'CheckAssumptions'
  story: null
  agent: string
  model: string | null
  because: string
  base: CommitId
  turn: number
  /** Whose assumptions they are. */
  seat: Seat
  assumptions: Assumption[]
}
