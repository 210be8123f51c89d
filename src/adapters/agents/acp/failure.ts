import type { AgentError, AgentErrorKind } from '../../../ports/agent-driver.ts'
import { errorFrom, failed } from '../failure.ts'
import { asList, asNumber, asObject, asWords, at, type Json } from '../json.ts'

/** What an agent answered instead of a result. */
export interface AcpRefusal {
  code: number
  message: string
  data?: unknown
}

const authRequired = -32000

/** An error of the protocol, or of the model's service behind it. */
export function errorOfRefusal({ code, message, data }: AcpRefusal): AgentError {
  const words = wordsOf(message, data)
  const status = httpStatus(code) ?? statusIn(data) ?? statusOfKind(data) ?? statusInWords(words)
  const known = status ?? (code === authRequired ? 401 : null)
  return errorFrom({ status: known, message: words, resetsAt: resetIn(data) })
}

/** The same, when it was asked to go on with a session: what is not about its service is about the session. */
export function notLoaded(refusal: AcpRefusal): AgentError {
  const error = errorOfRefusal(refusal)
  return error.kind === 'unknown' || error.kind === 'model' || error.kind === 'bad-request'
    ? failed('session', error.message)
    : error
}

const kindOfCategory = new Map<unknown, AgentErrorKind>(
  Object.entries({ access: 'auth', service: 'overloaded', connection: 'network' }),
)
const statusOfCategory = new Map<unknown, number>(Object.entries({ limit: 429, request: 400 }))

/** A failure that an answer carries beside its reason to stop; a warning is none. */
export function failureIn(answer: Json): AgentError | null {
  const failure = asObject(at(answer, '_meta', 'jetbrains', 'air', 'sessionFailure'))
  if (failure === null || failure.severity === 'warning') return null
  const { category, title, details, actions } = failure
  const message = [title, details].flatMap((text) => asWords(text) ?? []).join(': ') || 'the agent reports a failure'
  const isOver = category === 'limit' && asList(actions).includes('new_session')
  const kind = isOver ? 'session' : kindOfCategory.get(category)
  if (kind !== undefined) return failed(kind, message)
  const status = statusOfCategory.get(category) ?? null
  const error = errorFrom({ status, message, resetsAt: null })
  return status === null ? error : { ...error, status: null }
}

const reasons = new Map<unknown, [AgentErrorKind, string]>([
  ['refusal', ['bad-request', 'the agent refuses to go on with this']],
  ['max_tokens', ['unknown', 'the agent stopped at its limit of tokens']],
  ['max_turn_requests', ['unknown', 'the agent stopped at its limit of requests']],
  ['cancelled', ['aborted', 'the agent stopped because it was cancelled']],
])

/** Why it stopped, when that was not because it had finished; null: it had. */
export function stopped({ stopReason }: Json): AgentError | null {
  if (stopReason === 'end_turn') return null
  const unforeseen = `the agent stopped, and why is not known: ${stopReason}`
  return failed(...(reasons.get(stopReason) ?? ['unknown', unforeseen]))
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

const statusOfKind = (data: unknown): number | null => statusOfKinds[asWords(at(data, 'errorKind')) ?? ''] ?? null

/** As the libraries of the model APIs begin their messages, or after a word for it. */
const statusInWords = (words: string): number | null =>
  httpStatus(/(?:^|: |(?:API error|HTTP|status(?: code)?)[:\s]*\(?)([45]\d\d)\b/i.exec(words)?.[1])

function wordsOf(message: string, data: unknown): string {
  const paths = [[], ['details'], ['message'], ['error', 'message'], ['error'], ['errorName']]
  const words = [message, ...paths.flatMap((path) => asWords(at(data, ...path)) ?? [])]
  return [...new Set(words)].join(': ').slice(0, 4_000)
}

/** In seconds or milliseconds since 1970, or seconds from now. */
function resetIn(data: unknown): number | null {
  const reset = asNumber(at(data, 'resetsAt'))
  if (reset !== null) return reset > 1e12 ? reset : reset * 1000
  const after = asNumber(at(data, 'retryAfter'))
  return after === null ? null : Date.now() + after * 1000
}
