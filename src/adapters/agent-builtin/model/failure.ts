import type { AgentError } from '../../../ports/agent-driver.ts'
import { errorFrom, errorOf } from '../../../proof/agents/failure.ts'
import { oneLine } from '../../../std/text/plain-text.ts'
import { resetTime } from './reset-time.ts'

/** The stream ended and the answer had not. */
export class CutOff extends Error {}

/** What a failed call means, from the fields of the error; libraries throw some and hand over others as they came. */
export function failureOf(error: unknown, now: number): AgentError {
  const thrown = asRecord(error)
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
export const isTooLong = ({ kind, message }: AgentError): boolean =>
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
  const body = parsed(thrown.responseBody)
  // `value`: a piece of a stream that the library did not understand.
  const sources = [
    body,
    asRecord(asRecord(thrown.value).response),
    asRecord(thrown.response),
    asRecord(thrown.value),
    thrown,
  ]
  const worded = sources.flatMap((one) => [asRecord(one.error), one]).find((one) => typeof one.message === 'string')
  const { message, code, type, status } = worded ?? {}
  const named = [code, status, type].filter((word) => typeof word === 'string' && word !== 'error')
  const text = String(message ?? (Object.keys(thrown).length > 0 ? JSON.stringify(thrown) : error))
  return [...new Set(named), text].join(': ')
}

function parsed(text: unknown): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(String(text)))
  } catch {
    return {}
  }
}

const asRecord = (value: unknown): Record<string, unknown> =>
  value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {}
