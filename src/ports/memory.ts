import type { DeliveryEvent } from '../delivery/events.ts'
import type { CommitId, Instant } from '../delivery/ids.ts'
import type { Policy } from '../delivery/policy.ts'

/**
 * What was learned about repositories, in the home. `recall` never fails: what is not there or cannot be read was not
 * learned. Whoever uses a fact says that it may be out of date: the files themselves count.
 */
export interface Memory {
  recall(repository: string): Promise<Remembered | null>
  keep(remembered: Remembered): Promise<void>
}

export interface Remembered {
  repository: string
  passes: Partial<Record<Pass, Learned>>
}

/** `static`: from the files. `history`: from the commits. `model`: by an agent that read them. */
export const passes = ['static', 'history', 'model'] as const
export type Pass = (typeof passes)[number]

export interface Learned {
  at: Instant
  commit: CommitId
  /** Hash of all that it was derived from: while it is the same there is nothing to learn anew. */
  inputs: string
  facts: LearnedFact[]
}

/** One line, such as about `tests`: `beside the sources, *.test.ts`. */
export interface LearnedFact {
  about: string
  text: string
}

/** Learns about the repository around a folder. Throws TerminalError when there is none, or an agent gives no answer. */
export interface Learning {
  repository: { id: string; path: string }
  recall(): Promise<Remembered | null>
  /** Only passes whose inputs have changed are done, unless forced. What was learned is kept pass by pass. */
  learn(request: LearnRequest): Promise<Lesson>
}

export interface LearnRequest {
  commit: CommitId
  passes: Pass[]
  force: boolean
  /** Who reads it, for the pass `model`; null where that is not asked for. */
  by: {
    policy: Policy
    agent: string
    signal: AbortSignal
    /** Called before anybody is asked; throws TerminalError when what it may cost does not fit under the ceilings. */
    begin: () => Promise<void>
    /** Called with each turn, as soon as it is over. */
    spent: (turn: Extract<DeliveryEvent, { type: 'TurnSpent' }>) => Promise<void>
  } | null
}

export interface Lesson {
  remembered: Remembered
  /** Learned anew; the others were up to date. */
  anew: Pass[]
  /** What a model cost for it; null: none was asked, or nobody knows. */
  usd: number | null
}
