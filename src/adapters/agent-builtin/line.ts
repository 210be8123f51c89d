import type { Usage } from '../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../ports/agent-driver.ts'

/** The program's whole language: each of these is one line of standard output. */
export type Line =
  | AgentEvent
  /** The model is at work; a sign of life and nothing more. */
  | { type: 'progress' }
  /** The last one, always. */
  | ({ type: 'result'; text: string; usage: Usage; model: string | null } & Ending)

export type Ending = { ok: true } | { ok: false; error: AgentError }

export type Say = (line: Line) => void

/** Whatever is in a line, the key is not. */
export function lineText(line: Line, key: string | null): string {
  const text = JSON.stringify(line)
  return `${key ? text.replaceAll(JSON.stringify(key).slice(1, -1), '[key]') : text}\n`
}
