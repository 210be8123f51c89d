import { errorFrom } from '../../../proof/agents/failure.ts'
import type { Told } from '../cli-agent.ts'
import { asList, asNumber, asText, at, type Json } from '../json.ts'

/** What a result says. Its subtype is no help: it may be "success" with an error in it. */
export function endingOf(result: Json): NonNullable<Told['ending']> {
  const reason = asText(result.terminal_reason)
  const isFine = result.is_error === false && (reason === null || reason === 'completed')
  if (isFine && result.subtype === 'success') return { ok: true }
  const message = messageOf(result)
  if (result.subtype === 'error_max_turns')
    return { ok: false, error: { kind: 'turns', status: null, message, resetsAt: null } }
  return { ok: false, error: errorFrom({ status: statusOf(result, message), message, resetsAt: null }) }
}

function messageOf(result: Json): string {
  const errors = asList(result.errors).filter((error) => typeof error === 'string')
  const said = asText(at(result, 'error', 'message')) ?? asText(result.result) ?? errors.join('; ')
  const type = asText(result.api_error_type) ?? asText(at(result, 'error', 'type'))
  return `${said || asText(result.subtype) || 'it failed'}${type === null ? '' : ` (${type})`}`
}

/** qwen writes the status at the head of its message. */
const statusOf = (result: Json, message: string): number | null =>
  asNumber(result.api_error_status) ?? asNumber(Number.parseInt(/^\[API Error: (\d{3})\b/.exec(message)?.[1] ?? '', 10))
