import type { AgentError, AgentResult } from '../../../ports/agent-driver.ts'
import type { Cut } from './stage.ts'

/** How a turn ended. */
export type Ending =
  | { type: 'exited'; code: number }
  | { type: 'killed'; signal: string }
  | { type: 'asked'; question: NonNullable<AgentResult['question']> }
  | { type: 'limited'; kind: AgentError['kind']; resetsAt: number | null }
  | { type: 'cut'; by: Cut }
  /** The script itself is at fault. */
  | { type: 'wrong'; problem: string }

/** What came of one action: `red` when a command failed, which ends nothing; null when all went well. */
export type Outcome = Ending | 'red' | null
