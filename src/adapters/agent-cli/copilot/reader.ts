import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { errorFrom } from '../../../proof/agents/failure.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asCount, asNumber, asObject, asText, at, brief, type Json } from '../json.ts'
import { usedIn } from './usage-file.ts'

/** It tries a call six times, for up to a minute, and cannot be told not to: after so many we take it as refused. */
const enoughTries = 3

export const copilotReader = ({ usageFile }: { usageFile: string }): Reader => new CopilotReader(usageFile)

class CopilotReader implements Reader {
  readonly #usageFile: string
  readonly #told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  #refusal: Refusal | null = null
  /** Told to stop, it says that it has ended well: then that is no word on the turn. */
  #isStopped = false

  constructor(usageFile: string) {
    this.#usageFile = usageFile
  }

  #refused(data: Json): AgentEvent[] {
    const attempt = asCount(data.retryAttempt) + 1
    this.#refusal = {
      status: asNumber(data.statusCode),
      message: asText(data.errorMessage) ?? 'the call of the model failed',
    }
    if (attempt >= enoughTries) this.#fail(this.#refusal)
    return [{ type: 'retry', attempt, status: this.#refusal.status, delayMs: 0 }]
  }

  #fail({ status, message }: Refusal): void {
    this.#told.ending = { ok: false, error: errorFrom({ status, message, resetsAt: null }) }
  }

  /** The error of the session is for people: what the API itself said is in the refusal before it. */
  #broken(data: Json): AgentEvent[] {
    const message = asText(data.message) ?? 'it failed without a reason'
    const said = this.#refusal === null || message.includes(this.#refusal.message) ? '' : ` (${this.#refusal.message})`
    this.#fail({ status: asNumber(data.statusCode) ?? this.#refusal?.status ?? null, message: `${message}${said}` })
    return []
  }

  #spoke(data: Json): AgentEvent[] {
    this.#refusal = null
    this.#told.model = asText(data.model) ?? this.#told.model
    const text = asText(data.content) ?? ''
    if (text === '') return []
    this.#told.text = text
    return [{ type: 'text', text }]
  }

  #ended(line: Json): AgentEvent[] {
    this.#told.session = asText(line.sessionId) ?? this.#told.session
    if (this.#isStopped) return []
    if (line.exitCode === 0) this.#told.ending ??= { ok: true }
    else if (this.#told.ending?.ok !== false)
      this.#fail(this.#refusal ?? { status: null, message: `it ended with the exit code ${brief(line.exitCode, 20)}` })
    return []
  }

  read(line: Json): AgentEvent[] {
    const data = asObject(line.data) ?? {}
    switch (line.type) {
      case 'assistant.turn_start':
        return [{ type: 'model-asked' }]
      case 'assistant.reasoning':
        return [{ type: 'thinking', text: asText(data.content) ?? '' }]
      case 'assistant.message':
        return this.#spoke(data)
      case 'tool.execution_start':
        return toolStart(data)
      case 'tool.execution_complete':
        return toolEnd(data)
      case 'model.call_failure':
        return this.#refused(data)
      case 'abort':
      case 'agent.interrupted':
        this.#isStopped = true
        return []
      case 'session.error':
        return this.#broken(data)
      case 'result':
        return this.#ended(line)
      default:
        return []
    }
  }

  /** The file is written after the last word. */
  told(): Told {
    const told = this.#told
    const used = told.ending === null ? null : usedIn(this.#usageFile)
    return { ...told, usage: used?.usage ?? null, model: used?.model ?? told.model }
  }
}

interface Refusal {
  status: number | null
  message: string
}

function toolStart(data: Json): AgentEvent[] {
  const id = asText(data.toolCallId)
  if (id === null) return []
  const detail = brief(at(data, 'arguments', 'command') ?? at(data, 'arguments', 'path') ?? data.arguments, 300)
  return [{ type: 'tool-started', id, name: asText(data.toolName) ?? 'tool', detail }]
}

function toolEnd(data: Json): AgentEvent[] {
  const id = asText(data.toolCallId)
  if (id === null) return []
  const said = at(data, 'result', 'content') ?? at(data, 'error', 'message')
  const exitCode = asCount(at(data, 'shellExecution', 'exitCode'))
  return [
    {
      ...{ type: 'tool-ended', id, ok: data.success === true && exitCode === 0 },
      output: said === undefined ? null : brief(said, 2_000),
    },
  ]
}
