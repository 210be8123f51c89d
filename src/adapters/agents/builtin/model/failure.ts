import type { AgentError } from '../../../../ports/agent-driver.ts'
import { objectOf, parseJson } from '../../../../std/json.ts'
import { oneLine } from '../../../../std/text/plain-text.ts'
import { errorFrom, errorOf, lengthMs } from '../../failure.ts'

/** The stream ended and the answer had not. */
export class CutOff extends Error {}

/** What a failed call means, from the fields of the error; libraries throw some and hand over others as they came. */
export function modelFailure(error: unknown, now: number): AgentError {
  const thrown = objectOf(error)
  const told = { status: null, message: oneLine(wordsOf(thrown, error)), resetsAt: null }
  if (isTransport(error, thrown)) return errorOf('network', { ...told, message: withCause(told.message, thrown.cause) })
  const body = typeof thrown.responseBody === 'string' ? thrown.responseBody : ''
  const resetsAt = resetTime((thrown.responseHeaders ?? {}) as Record<string, string>, body, now)
  if (body.includes('API_KEY_INVALID')) return errorFrom({ ...told, status: 401, resetsAt })
  const status = typeof thrown.statusCode === 'number' ? thrown.statusCode : null
  // 500 is also what a library makes up for an error inside a stream: the error's own type says more.
  const typed = errorFrom({ ...told, status: status === 500 ? null : status, resetsAt })
  return typed.kind === 'unknown' && status !== null ? errorFrom({ ...told, status, resetsAt }) : typed
}

/** Whether the model was sent more than it can take. */
export const isContextTooLong = ({ kind, message }: AgentError): boolean =>
  kind === 'bad-request' &&
  /context[_ ](?:length|window|size)|(?:prompt|input|request)\b.{0,20}\btoo (?:long|large)|request_too_large|maximum context|exceeds the maximum number of tokens/i.test(
    message,
  )

const transportNames = ['AI_InvalidResponseDataError', 'AI_EmptyResponseBodyError', 'AI_JSONParseError']

function isTransport(error: unknown, { name, statusCode }: Record<string, unknown>): boolean {
  if (error instanceof CutOff || transportNames.includes(String(name))) return true
  // `fetch failed` and `terminated` are a TypeError; a call that got no answer, or half of a good one, has no bad status.
  return error instanceof TypeError || (name === 'AI_APICallError' && !(Number(statusCode) >= 300))
}

const withCause = (message: string, cause: unknown): string =>
  cause instanceof Error && !message.includes(cause.message) ? `${message}: ${cause.message}` : message

function wordsOf(thrown: Record<string, unknown>, error: unknown): string {
  const body = objectOf(parseJson(String(thrown.responseBody)))
  // `value`: a piece of a stream that the library did not understand.
  const sources = [
    body,
    objectOf(objectOf(thrown.value).response),
    objectOf(thrown.response),
    objectOf(thrown.value),
    thrown,
  ]
  const worded = sources.flatMap((one) => [objectOf(one.error), one]).find((one) => typeof one.message === 'string')
  const { message, code, type, status } = worded ?? {}
  const named = [code, status, type].filter((word) => typeof word === 'string' && word !== 'error')
  const text = String(message ?? (Object.keys(thrown).length > 0 ? JSON.stringify(thrown) : error))
  return [...new Set(named), text].join(': ')
}

/** When a limit is lifted, as the model APIs tell it in their headers or, one of them, in the error itself. */
export function resetTime(headers: Record<string, string>, body: string, now: number): number | null {
  const afterMs = headers['retry-after-ms'] === undefined ? undefined : `${headers['retry-after-ms']}ms`
  const delay = /"retryDelay"\s*:\s*"([\d.]+s)"/.exec(body)?.[1]
  const told = instant(afterMs ?? headers['retry-after'] ?? '', now) ?? instant(delay ?? '', now)
  if (told !== null) return told
  const resets = Object.entries(headers)
    .filter(([name]) => /^(?:anthropic-ratelimit-.*-reset|x-ratelimit-reset(?:-.*)?)$/.test(name))
    // A limit with something left is not the one that was hit.
    .filter(([name]) => !(Number(headers[name.replace('reset', 'remaining')] ?? 0) > 0))
    .map(([, text]) => instant(text, now) ?? 0)
  return Math.max(0, ...resets) || null
}

/** A time, seconds since 1970 or from now, or a length. */
function instant(text: string, now: number): number | null {
  const value = text.trim()
  const length = lengthMs(value)
  if (length !== null) return now + length
  if (!/^\d+(?:\.\d+)?$/.test(value)) return Date.parse(value) || null
  const number = Number(value)
  if (number > 1e12) return number
  return number > 1e9 ? number * 1000 : now + number * 1000
}
