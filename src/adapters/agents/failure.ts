import type { AgentError, AgentErrorKind } from '../../ports/agent-driver.ts'

/** What an agent or a model API told about its failure, in fields that are for failures. */
export interface ToldFailure {
  /** An HTTP status; null when none was told. */
  status: number | null
  /** The message of the error itself, never what the assistant said. */
  message: string
  resetsAt: number | null
}

/** The one place where a status and an error's own words become a kind. */
export function errorFrom({ status, message, resetsAt }: ToldFailure): AgentError {
  const known = status ?? statusOfType(message)
  return errorOf(kindFrom(known, message), { status: known, message, resetsAt })
}

/** An error whose kind is known without asking its words. */
export function errorOf(kind: AgentErrorKind, told: ToldFailure): AgentError {
  return { kind, ...told, retryable: retryable.has(kind) }
}

/** One that nobody told a status of. */
export const failed = (kind: AgentErrorKind, message: string): AgentError =>
  errorOf(kind, { status: null, message, resetsAt: null })

const retryable: ReadonlySet<AgentErrorKind> = new Set(['rate-limit', 'overloaded', 'network'])

/** Error types of the model APIs, which come instead of a status when a stream has begun already. */
const types: [RegExp, number][] = [
  [/\b(?:authentication_error|invalid_api_key|UNAUTHENTICATED)\b/, 401],
  [/\b(?:permission_error|PERMISSION_DENIED)\b/, 403],
  [/\b(?:billing_error|insufficient_quota)\b/, 402],
  [/\b(?:rate_limit_error|rate_limit_exceeded|RESOURCE_EXHAUSTED)\b/, 429],
  [/\b(?:not_found_error|model_not_found)\b/, 404],
  [/\b(?:request_too_large|context_length_exceeded)\b/, 413],
  [/\b(?:invalid_request_error|INVALID_ARGUMENT)\b/, 400],
  [/\b(?:overloaded_error|server_is_overloaded|slow_down)\b/, 529],
  [/\b(?:api_error|server_error|internal_server_error)\b/, 500],
  [/\bUNAVAILABLE\b/, 503],
]

const statusOfType = (message: string): number | null => types.find(([type]) => type.test(message))?.[1] ?? null

/** The last is what gemini says. */
const quotaWords =
  /insufficient[_ ]quota|(?<!not your )usage limit|billing|credit balance|exhausted your (?:daily quota|capacity)/i
const modelWords =
  /model\b.{0,120}\b(?:not found|does not exist|not exist|not supported|unknown|invalid)|(?:unknown|invalid) model/i
const networkWords =
  /\bE(?:CONN\w+|NOTFOUND|TIMEDOUT|PIPE|AI_AGAIN|HOSTUNREACH|NETUNREACH)\b|\bUND_ERR_|socket hang up|other side closed|fetch failed|network|connection|disconnected|error sending request/i

function kindFrom(status: number | null, message: string): AgentErrorKind {
  switch (status) {
    case 401:
    case 403:
      return 'auth'
    case 402:
      return 'quota'
    case 404:
      return 'model'
    case 429:
      return quotaWords.test(message) ? 'quota' : 'rate-limit'
    case 400:
    case 413:
    case 422:
      return quotaWords.test(message) ? 'quota' : modelWords.test(message) ? 'model' : 'bad-request'
    case null:
      return kindOfWords(message)
    default:
      return status >= 500 && status <= 599 ? 'overloaded' : 'unknown'
  }
}

function kindOfWords(message: string): AgentErrorKind {
  if (quotaWords.test(message)) return 'quota'
  if (modelWords.test(message)) return 'model'
  if (/\boverloaded\b/i.test(message)) return 'overloaded'
  if (/\brate limit|\btoo many requests\b/i.test(message)) return 'rate-limit'
  return networkWords.test(message) ? 'network' : 'unknown'
}

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A length such as `6m0s`; null: it is none. */
export function lengthMs(text: string): number | null {
  const pieces = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)]
  if (pieces.length === 0 || pieces.map(([piece]) => piece).join('') !== text) return null
  return Math.round(pieces.reduce((sum, [, count, unit]) => sum + Number(count) * (unitMs[unit ?? ''] ?? 0), 0))
}
