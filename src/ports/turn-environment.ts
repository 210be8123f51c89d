import type { AgentTurn } from './agent-driver.ts'

/** What an agent finds in its environment about the turn it was started for. */
export function turnEnvironment(turn: AgentTurn): Record<string, string> {
  return {
    ...turn.environment,
    ROPEWALK_ROLE: turn.role,
    ROPEWALK_DELIVERY: turn.delivery,
    ROPEWALK_STORY: turn.story ?? '',
    ROPEWALK_ATTEMPT: String(turn.attempt),
    ROPEWALK_ROUND: String(turn.round),
    ROPEWALK_BASE: turn.base,
    ROPEWALK_RESULT: turn.resultFile,
    ...(turn.model === null ? {} : { ROPEWALK_MODEL: turn.model }),
    ...(turn.session === null ? {} : { ROPEWALK_SESSION: turn.session }),
  }
}
