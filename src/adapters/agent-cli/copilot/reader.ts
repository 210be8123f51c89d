import { errorFrom } from '../../../ports/agent/failure.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asCount, asNumber, asObject, asText, at, brief, type Json } from '../json.ts'
import { usedIn } from './usage-file.ts'

/** It tries a call six times, for up to a minute, and cannot be told not to: after so many we take it as refused. */
const enoughTries = 3

export function copilotReader({ usageFile }: { usageFile: string }): Reader {
  const told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  let refusal: Refusal | null = null
  /** Told to stop, it says that it has ended well: then that is no word on the turn. */
  let isStopped = false

  function refused(data: Json): AgentEvent[] {
    const attempt = asCount(data.retryAttempt) + 1
    refusal = {
      status: asNumber(data.statusCode),
      message: asText(data.errorMessage) ?? 'the call of the model failed',
    }
    if (attempt >= enoughTries) fail(refusal)
    return [{ type: 'retry', attempt, status: refusal.status, delayMs: 0 }]
  }

  function fail({ status, message }: Refusal): void {
    told.ending = { ok: false, error: errorFrom({ status, message, resetsAt: null }) }
  }

  /** The error of the session is for people: what the API itself said is in the refusal before it. */
  function broken(data: Json): AgentEvent[] {
    const message = asText(data.message) ?? 'it failed without a reason'
    const said = refusal === null || message.includes(refusal.message) ? '' : ` (${refusal.message})`
    fail({ status: asNumber(data.statusCode) ?? refusal?.status ?? null, message: `${message}${said}` })
    return []
  }

  function spoke(data: Json): AgentEvent[] {
    refusal = null
    told.model = asText(data.model) ?? told.model
    const text = asText(data.content) ?? ''
    if (text === '') return []
    told.text = text
    return [{ type: 'text', text }]
  }

  function ended(line: Json): AgentEvent[] {
    told.session = asText(line.sessionId) ?? told.session
    if (isStopped) return []
    if (line.exitCode === 0) told.ending ??= { ok: true }
    else if (told.ending?.ok !== false)
      fail(refusal ?? { status: null, message: `it ended with the exit code ${brief(line.exitCode, 20)}` })
    return []
  }

  function read(line: Json): AgentEvent[] {
    const data = asObject(line.data) ?? {}
    switch (line.type) {
      case 'assistant.reasoning':
        return [{ type: 'thinking', text: asText(data.content) ?? '' }]
      case 'assistant.message':
        return spoke(data)
      case 'tool.execution_start':
        return toolStart(data)
      case 'tool.execution_complete':
        return toolEnd(data)
      case 'model.call_failure':
        return refused(data)
      case 'abort':
      case 'agent.interrupted':
        isStopped = true
        return []
      case 'session.error':
        return broken(data)
      case 'result':
        return ended(line)
      default:
        return []
    }
  }

  /** The file is written after the last word. */
  function toldNow(): Told {
    const used = told.ending === null ? null : usedIn(usageFile)
    return { ...told, usage: used?.usage ?? null, model: used?.model ?? told.model }
  }

  return { read, told: toldNow }
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
