import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../ports/agent-driver.ts'

/** The program's whole language: each of these is one line of standard output. */
export type ProgramLine =
  | AgentEvent
  /** The model is at work; a sign of life and nothing more. */
  | { type: 'progress' }
  /** The last one, always. */
  | ({ type: 'result'; text: string; usage: Usage; exact: boolean; model: string | null } & ProgramEnding)

export type ProgramEnding = { ok: true } | { ok: false; error: AgentError }

export type Say = (line: ProgramLine) => void

/** What is shorter is a word that a local server wants to hear, not a secret. */
const shortestSecret = 8

/** Whatever is in a line, the key is not. */
export function lineText(line: ProgramLine, key: string | null): string {
  const isSecret = key !== null && key.length >= shortestSecret
  const hidden = (_: string, value: unknown) =>
    isSecret && typeof value === 'string' ? value.replaceAll(key, '[key]') : value
  return `${JSON.stringify(line, hidden)}\n`
}
