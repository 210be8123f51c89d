import type { DeliveryEvent } from '../delivery/events.ts'
import type { CommitId } from '../delivery/ids.ts'
import type { Policy } from '../delivery/policy.ts'
import type { Pass, Remembered } from './memory.ts'

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
