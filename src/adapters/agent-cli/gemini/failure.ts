import type { AgentError } from '../../../ports/agent-driver.ts'
import { errorFrom, errorOf } from '../../../proof/agents/failure.ts'
import { asNumber, asText, at, type Json, objectOn } from '../json.ts'

/** What a result that is an error says. It may say nothing: then the error before it does. */
export function failureOf(result: Json, before: string | null): AgentError {
  const message = asText(at(result, 'error', 'message')) ?? before ?? 'it failed without a reason'
  const told = { status: statusIn(message), message, resetsAt: resetIn(message, asText(result.timestamp)) }
  return isUsedUp.test(message) ? errorOf('quota', told) : errorFrom(told)
}

/** "You have exhausted your daily quota on this model.": waiting a little will not do. */
const isUsedUp = /exhausted your (?:daily quota|capacity)/i

/** What it adds to the message of a 429, from which it leaves out the number. */
const isLimited = /Please wait and try again later\. To increase your limits|Possible quota limitations in place/

/** The API's own answer is in the message, as JSON. */
function statusIn(message: string): number | null {
  const body = /^\[API Error: (\{.*\})\]/s.exec(message)?.[1]
  const code = body === undefined ? null : asNumber(at(objectOn(body), 'error', 'code'))
  return code ?? (isLimited.test(message) ? 429 : null)
}

const unitsMs: Record<string, number> = { h: 3_600_000, m: 60_000, s: 1_000 }

/** "Please retry in 7m12.5s", "Your quota will reset after 3h". */
function resetIn(message: string, at: string | null): number | null {
  const wait = /(?:retry in|reset after) ((?:\d+(?:\.\d+)?[hms])+)/i.exec(message)?.[1]
  const now = Date.parse(at ?? '')
  if (wait === undefined || Number.isNaN(now)) return null
  const parts = [...wait.matchAll(/(\d+(?:\.\d+)?)([hms])/g)]
  return Math.round(parts.reduce((ms, [, count, unit]) => ms + Number(count) * (unitsMs[unit ?? ''] ?? 0), now))
}
