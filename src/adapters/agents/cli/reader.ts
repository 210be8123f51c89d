import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../ports/agent-driver.ts'
import { errorFrom } from '../failure.ts'
import { asText, at, brief, type Json } from '../json.ts'

/** Reads one turn's lines. Keeps what it needs; never throws, whatever the line is. */
export interface LineReader {
  /** One line that is JSON; others never get here. */
  read(line: Record<string, unknown>): AgentEvent[]
  /** What is known so far; asked when the turn has ended, and for the usage of a turn that was cut off. */
  told(): ToldByLines
}

export interface ToldByLines {
  /** The agent's own last word on the turn; null while it has not come. It ends the turn: what still runs is ended. */
  ending: { ok: true } | { ok: false; error: Omit<AgentError, 'retryable'> } | null
  session: string | null
  text: string
  /**
   * What the agent summed up itself, of the turn or of the session as `totals` says; null: nothing. The input is the
   * whole input; what of it came from a cache is told again as cached. What single calls tell belongs into `usage` events.
   */
  usage: Usage | null
  usd: number | null
  model: string | null
  /** That what it summed up is reckoned in parts. */
  inexact?: boolean
}

type ReadLine = ((line: Json) => AgentEvent[]) | ((line: Json) => void)

/** Reads each line by what is said here for its type; other lines tell nothing. */
export function readerBy(told: ToldByLines, by: Record<string, ReadLine>): LineReader {
  const known = new Map<unknown, ReadLine>(Object.entries(by))
  return { read: (line) => known.get(line.type)?.(line) ?? [], told: () => ({ ...told }) }
}

export const nothingTold = (): ToldByLines => ({
  ...{ ending: null, session: null, text: '', usage: null, usd: null, model: null },
})

export const failedBy = (status: number | null, message: string): NonNullable<ToldByLines['ending']> => ({
  ok: false,
  error: errorFrom({ status, message, resetsAt: null }),
})

/** The first name that a session is told by is its name. */
export function opened(told: ToldByLines, session: unknown): AgentEvent[] {
  const name = asText(session)
  if (name === null || told.session !== null) return []
  told.session = name
  return [{ type: 'session', session: name }]
}

/** Of what a tool is given, what tells most about it. */
export const tellingOf = (given: unknown, ...keys: string[]): unknown =>
  keys.map((key) => asText(at(given, key))).find((text) => text !== null) ?? given

/** Nothing when it has no name by which its end could be known. */
export function toolStarted(id: unknown, name: unknown, detail: unknown): AgentEvent[] {
  const known = asText(id)
  if (known === null) return []
  return [{ type: 'tool-started', id: known, name: asText(name) ?? 'tool', detail: brief(detail, 300) }]
}

export function toolEnded(id: unknown, ok: boolean, output: unknown): AgentEvent[] {
  const known = asText(id)
  if (known === null) return []
  return [{ type: 'tool-ended', id: known, ok, output: output === undefined ? null : brief(output, 2_000) }]
}
