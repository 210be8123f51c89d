import type { AgentError, AgentEvent } from '../../../ports/agent-driver.ts'
import { errorFrom } from '../../../proof/agents/failure.ts'
import type { Told } from '../cli-agent.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../json.ts'

/** What its `error` line tells: the name of the error, what the API said, and how the API calls that. */
export function failureOf(error: unknown): AgentError {
  const data = asObject(at(error, 'data')) ?? {}
  const body = at(objectOn(asText(data.responseBody) ?? ''), 'error')
  const type = asText(at(body, 'code')) ?? asText(at(body, 'type'))
  const said = asText(data.message) ?? 'it failed without a reason'
  const message = `${asText(at(error, 'name')) ?? 'Error'}: ${said}${type === null ? '' : ` (${type})`}`
  return errorFrom({ status: asNumber(data.statusCode), message, resetsAt: null })
}

/** It tries again for minutes, and cannot be told not to: after so many waits, or before a long one, it is refused. */
const enoughWaits = 3
const longWaitMs = 30_000

interface Refusal {
  event: AgentEvent
  limit: AgentEvent[]
  /** Null while it may still get over it. */
  error: AgentError | null
}

export function refusalOf(line: Json): Refusal {
  const attempt = asCount(line.attempt)
  const delayMs = asCount(line.delayMs)
  const status = asNumber(line.status)
  const resetsAt = delayMs > longWaitMs ? asNumber(line.next) : null
  const isOver = attempt >= enoughWaits || delayMs > longWaitMs
  const told = { status, message: asText(line.message) ?? 'the call of the model failed', resetsAt }
  return {
    event: { type: 'retry', attempt, status, delayMs },
    limit: resetsAt === null ? [] : [{ type: 'limit', resetsAt }],
    error: isOver ? passing(errorFrom(told)) : null,
  }
}

/** It tries again only what it takes for passing. */
const passing = (error: AgentError): AgentError =>
  error.kind === 'unknown' ? { ...error, kind: 'overloaded', retryable: true } : error

/** What the reason of a step means for the turn; null: it goes on. */
export function lastReason(reason: string | null): Told['ending'] {
  if (reason === null || reason === 'tool-calls' || reason === 'unknown') return null
  if (reason === 'stop') return { ok: true }
  return { ok: false, error: errorFrom({ status: null, message: `the model stopped: ${reason}`, resetsAt: null }) }
}
