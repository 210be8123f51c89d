import type { Usage } from '../delivery/money/ledger.ts'
import type { Confinement } from './shell.ts'

/**
 * One coding agent product. Never throws for what an agent does: whatever happens is in the result.
 * When `run` returns, no process of the turn is alive.
 */
export interface AgentDriver {
  run(turn: AgentTurn): Promise<AgentResult>
  /** What a turn that died with our own process had spent, from its transcript; null when that cannot be told. */
  salvage(turn: LostTurn): Promise<Spent | null>
  /** By doing, not by guessing: is it there, does it start, is it signed in, does it know its flags. It has so long for each answer. */
  probe(options: Record<string, unknown>, cwd: string, timeoutMs: number): Promise<AgentProbe>
}

export interface LostTurn {
  transcript: string
  /** The session's totals before it. */
  totals: Usage | null
  /** The session that is on record for it: not every agent names it before its last word. */
  session: string | null
  /** How long its prompt was. */
  promptChars: number
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
  /** The id for a session that is opened, where the agent lets us choose. */
  openAs: string
  /** What the session had spent when its last turn ended, for agents that only tell totals; null: nothing yet. */
  totals: Usage | null
  delivery: string
  story: string | null
  attempt: number
  round: number
  base: string
  /** A file outside the workspace where a role that must answer writes its JSON. */
  resultFile: string
  /** A program that takes the answer by a tool, over the Model Context Protocol on its standard input and output; null: none is wanted. */
  submit: SubmitProgram | null
  /** What its place has besides files: ports, a name. */
  environment: Record<string, string>
  transcript: string
  mark: string
  timeoutMs: number
  idleTimeoutMs: number
  /**
   * How often it may ask its model, and then without agents of its own. A driver tells its product so where that can be
   * told; whoever watches the turn counts, and ends it. Null: as often as it likes.
   */
  modelTurns: number | null
  /** What it may touch; a driver adds what its agent cannot do without. Null: it is as free as we are. */
  confine: Confinement | null
  signal: AbortSignal
  /** `started` and `session` are on record when this resolves: a driver waits for it before it goes on. */
  onEvent: (event: AgentEvent) => Promise<void>
  /** Whether the agent may do what it asks to be allowed; `ask` ends the turn with a question to the human. */
  onPermission: (request: PermissionRequest) => 'allow' | 'deny' | 'ask'
}

export interface SubmitProgram {
  program: string
  /** The first is its file, the second the result file. */
  args: [string, string]
}

export interface PermissionRequest {
  /** What kind of thing: read, edit, delete, move, search, execute, fetch, other. */
  kind: string
  /** In the agent's words, such as the command line. */
  title: string
}

export type AgentEvent =
  /** Before anything runs: what exactly is started. */
  | { type: 'started'; command: string[]; environment: string[]; version: string | null }
  | { type: 'session'; session: string }
  /** Its model is asked once more, where the agent tells that. */
  | { type: 'model-asked' }
  | { type: 'text'; text: string }
  | { type: 'thinking'; text: string }
  | { type: 'tool-started'; id: string; name: string; detail: string }
  /** `output`: what came back, cut; null where the agent does not tell. */
  | { type: 'tool-ended'; id: string; ok: boolean; output: string | null }
  | { type: 'retry'; attempt: number; status: number | null; delayMs: number }
  | { type: 'limit'; resetsAt: number | null }
  | { type: 'permission'; request: PermissionRequest; answer: 'allow' | 'deny' | 'ask' }
  /** Of this turn so far, and of which model, where the agent tells. */
  | { type: 'usage'; usage: Usage; model?: string | null }

export interface AgentResult {
  /** The agent says that it is finished. Nothing more: success is decided elsewhere. */
  status: 'finished' | 'failed' | 'asked'
  error: AgentError | null
  /** With `asked`: what it wants to know, or, with `permission`, to be allowed. */
  question: { text: string; options: string[]; permission: PermissionRequest | null } | null
  session: string | null
  text: string
  spent: Spent
  exitCode: number | null
  durationMs: number
}

/** What one turn has used, and that turn alone. */
export interface Spent {
  usage: Usage
  /** Null when the agent does not tell a price. */
  usd: number | null
  /** False when the usage was estimated, for example from a partial stream. */
  exact: boolean
  /** What the model was, where the agent tells it. */
  model: string | null
  /** The session's totals after this turn, where the agent tells only those. */
  totals: Usage | null
}

export interface AgentError {
  kind: AgentErrorKind
  message: string
  status: number | null
  retryable: boolean
  resetsAt: number | null
}

export type AgentErrorKind =
  | 'auth'
  | 'quota'
  | 'rate-limit'
  | 'overloaded'
  | 'bad-request'
  | 'model'
  | 'network'
  | 'timeout'
  | 'idle'
  /** The same call again and again without effect. */
  | 'stuck'
  /** Ended by us: what it had spent reached a ceiling. */
  | 'budget'
  /** It has asked its model as often as it may. */
  | 'turns'
  | 'permission'
  | 'spawn'
  /** The session to go on with is not known any more. */
  | 'session'
  | 'crash'
  | 'aborted'
  | 'unknown'

/** `signedIn`: by what the user has chosen whom its model is asked of, such as a key, a sign-in, an address; null: it cannot be told. */
export type AgentProbe =
  | { usable: true; version: string | null; signedIn: string | false | null; notes: string[] }
  /** `late`: it did not answer in time, which says nothing about it on a busy machine. */
  | { usable: false; version: string | null; problem: string; remedy: string; late?: true }
