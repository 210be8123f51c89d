import type { AgentError } from '../../../ports/agent-driver.ts'
import { errorFrom, errorOf } from '../../../proof/agents/failure.ts'
import { asList, asNumber, asObject, asText, at, type Json } from './json.ts'

/** What an agent answered instead of a result. */
export interface Refusal {
  code: number
  message: string
  data?: unknown
}

const authRequired = -32000

/** An error of the protocol, or of the model's service behind it. */
export function refused({ code, message, data }: Refusal): AgentError {
  const words = wordsOf(message, data)
  const status = httpStatus(code) ?? statusIn(data) ?? statusOfKind(data) ?? statusInWords(words)
  const told = { status: status ?? (code === authRequired ? 401 : null), message: words, resetsAt: resetIn(data) }
  return isUsedUp.test(words) ? errorOf('quota', told) : errorFrom(told)
}

/** As gemini says it: waiting a little will not do. */
const isUsedUp = /exhausted your (?:daily quota|capacity)/i

/** The same, when it was asked to go on with a session: what is not about its service is about the session. */
export function notLoaded(refusal: Refusal): AgentError {
  const error = refused(refusal)
  return error.kind === 'unknown' || error.kind === 'model' || error.kind === 'bad-request'
    ? errorOf('session', { status: null, message: error.message, resetsAt: null })
    : error
}

/** A failure that an answer carries beside its reason to stop; a warning is none. */
export function failureIn(answer: Json): AgentError | null {
  const failure = asObject(at(answer, '_meta', 'jetbrains', 'air', 'sessionFailure'))
  if (failure === null || failure.severity === 'warning') return null
  const message = [failure.title, failure.details].flatMap((text) => asText(text) ?? []).join(': ')
  const told = { message: message || 'the agent reports a failure', status: null, resetsAt: null }
  const actions = asList(failure.actions)
  switch (failure.category) {
    case 'access':
      return errorOf('auth', told)
    case 'limit':
      if (actions.includes('new_session')) return errorOf('session', told)
      return { ...errorFrom({ ...told, status: 429 }), status: null }
    case 'request':
      return { ...errorFrom({ ...told, status: 400 }), status: null }
    case 'service':
      return errorOf('overloaded', told)
    case 'connection':
      return errorOf('network', told)
    default:
      return errorFrom(told)
  }
}

/** Why it stopped, when that was not because it had finished; null: it had. */
export function stopped(answer: Json): AgentError | null {
  const told = (message: string) => ({ status: null, message, resetsAt: null })
  switch (answer.stopReason) {
    case 'end_turn':
      return null
    case 'refusal':
      return errorOf('bad-request', told('the agent refuses to go on with this'))
    case 'max_tokens':
      return errorOf('unknown', told('the agent stopped at its limit of tokens'))
    case 'max_turn_requests':
      return errorOf('unknown', told('the agent stopped at its limit of requests'))
    case 'cancelled':
      return errorOf('aborted', told('the agent stopped because it was cancelled'))
    default:
      return errorOf('unknown', told(`the agent stopped, and why is not known: ${String(answer.stopReason)}`))
  }
}

const httpStatus = (value: unknown): number | null => {
  const number = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : asNumber(value)
  return number !== null && Number.isInteger(number) && number >= 400 && number <= 599 ? number : null
}

function statusIn(data: unknown): number | null {
  const places = [data, at(data, 'error'), at(data, 'data'), at(data, 'cause')]
  const names = ['statusCode', 'status', 'httpStatus', 'httpStatusCode', 'code']
  return places.flatMap((place) => names.flatMap((name) => httpStatus(at(place, name)) ?? []))[0] ?? null
}

const statusOfKinds: Record<string, number> = {
  authentication_failed: 401,
  oauth_org_not_allowed: 403,
  billing_error: 402,
  account_on_hold: 402,
  rate_limit: 429,
  overloaded: 529,
  server_error: 500,
  invalid_request: 400,
  model_not_found: 404,
}

const statusOfKind = (data: unknown): number | null => statusOfKinds[asText(at(data, 'errorKind')) ?? ''] ?? null

/** As the libraries of the model APIs begin their messages, or after a word for it. */
const statusInWords = (words: string): number | null =>
  httpStatus(/(?:^|: |(?:API error|HTTP|status(?: code)?)[:\s]*\(?)([45]\d\d)\b/i.exec(words)?.[1])

function wordsOf(message: string, data: unknown): string {
  const more = [
    data,
    at(data, 'details'),
    at(data, 'message'),
    at(data, 'error', 'message'),
    at(data, 'error'),
    at(data, 'errorName'),
  ]
  const words = [message, ...more.flatMap((text) => asText(text) ?? [])]
  return [...new Set(words)].join(': ').slice(0, 4_000)
}

/** In seconds or milliseconds since 1970, or seconds from now. */
function resetIn(data: unknown): number | null {
  const reset = asNumber(at(data, 'resetsAt'))
  if (reset !== null) return reset > 1e12 ? reset : reset * 1000
  const after = asNumber(at(data, 'retryAfter'))
  return after === null ? null : Date.now() + after * 1000
}
