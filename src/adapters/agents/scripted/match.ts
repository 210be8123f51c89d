import type { AgentTurn } from '../../../ports/agent-driver.ts'
import type { Entry } from './script.ts'

/** Of the entries whose every key fits the turn, the one with the most keys; of several, the first. */
export function bestEntry(entries: Entry[], turn: AgentTurn): Entry | null {
  let best: Entry | null = null
  for (const entry of entries)
    if (fits(entry, turn) && (best === null || precision(entry) > precision(best))) best = entry
  return best
}

function fits(entry: Entry, turn: AgentTurn): boolean {
  return (
    (entry.role === undefined || entry.role === turn.role) &&
    (entry.story === undefined || entry.story === turn.story) &&
    (entry.attempt === undefined || entry.attempt === turn.attempt) &&
    (entry.round === undefined || entry.round === turn.round) &&
    (entry.resumed === undefined || entry.resumed === (turn.session !== null)) &&
    (entry.prompt === undefined || turn.prompt.includes(entry.prompt))
  )
}

const precision = ({ do: _, ...keys }: Entry): number => Object.values(keys).filter((key) => key !== undefined).length
