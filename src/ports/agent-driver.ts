import type { Usage } from '../delivery/money/ledger.ts'

/**
 * One coding agent product. Never throws for what an agent does: whatever happens is in the result.
 * When `run` returns, no process of the turn is alive.
 */
export interface AgentDriver {
  run(turn: AgentTurn): Promise<AgentResult>
  /** By doing, not by guessing: is it there, does it start. */
  probe(options: Record<string, unknown>, cwd: string): Promise<AgentProbe>
}

export interface AgentTurn {
  agent: string
  role: string
  /** The driver's own options from the settings. */
  options: Record<string, unknown>
  model: string | null
  prompt: string
  workspace: string
  /** A session to go on with; null opens one. */
  session: string | null
  delivery: string
  story: string | null
  attempt: number
  round: number
  base: string
  /** A file outside the workspace where a role that must answer writes its JSON. */
  resultFile: string
  transcript: string
  mark: string
  timeoutMs: number
  idleTimeoutMs: number
  signal: AbortSignal
  onEvent: (event: AgentEvent) => void
}

export type AgentEvent =
  /** Before anything runs: what exactly is started. */
  | { type: 'started'; command: string[]; environment: string[]; version: string | null }
  | { type: 'session'; session: string }
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-started'; id: string; name: string; detail: string }
  | { type: 'tool-ended'; id: string; ok: boolean }
  | { type: 'retry'; attempt: number; status: number | null; delayMs: number }
  | { type: 'limit'; resetsAt: number | null }
  | { type: 'usage'; usage: Usage }

export interface AgentResult {
  /** The agent says that it is finished. Nothing more: success is decided elsewhere. */
  status: 'finished' | 'failed' | 'asked'
  error: AgentError | null
  /** With `asked`: what it wants to know. */
  question: { text: string; options: string[] } | null
  session: string | null
  text: string
  usage: Usage
  /** Null when unknown. */
  usd: number | null
  exact: boolean
  exitCode: number | null
  durationMs: number
}

export interface AgentError {
  kind:
    | 'auth'
    | 'quota'
    | 'rate-limit'
    | 'overloaded'
    | 'bad-request'
    | 'model'
    | 'network'
    | 'timeout'
    | 'idle'
    | 'permission'
    | 'spawn'
    | 'crash'
    | 'aborted'
    | 'unknown'
  message: string
  status: number | null
  retryable: boolean
  resetsAt: number | null
}

export type AgentProbe = { usable: true; version: string | null } | { usable: false; problem: string; remedy: string }
