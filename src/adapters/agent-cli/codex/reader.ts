import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import { errorFrom } from '../../../proof/agents/failure.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asCount, asNumber, asObject, asText, at, brief, type Json } from '../json.ts'

export function codexReader(): Reader {
  const started = new Set<string>()
  const told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }

  function completed(item: Json): AgentEvent[] {
    const { type, text } = item
    if (type === 'reasoning') return [{ type: 'thinking', text: asText(text) ?? '' }]
    if (type === 'agent_message') {
      told.text = asText(text) ?? ''
      return [{ type: 'text', text: told.text }]
    }
    const id = asText(item.id) ?? ''
    return isTool(item) ? [...(started.has(id) ? [] : toolStart(item)), toolEnd(id, item)] : []
  }

  function toolStart(item: Json): AgentEvent[] {
    const id = asText(item.id) ?? ''
    started.add(id)
    return [{ type: 'tool-started', id, name: asText(item.type) ?? 'tool', detail: detailOf(item) }]
  }

  function failed(message: string): AgentEvent[] {
    told.ending = { ok: false, error: errorFrom({ status: statusIn(message), message, resetsAt: null }) }
    return []
  }

  function events(line: Json): AgentEvent[] {
    const item = asObject(line.item) ?? {}
    switch (line.type) {
      case 'thread.started':
        told.session = asText(line.thread_id)
        return told.session === null ? [] : [{ type: 'session', session: told.session }]
      case 'item.started':
        return isTool(item) ? toolStart(item) : []
      case 'item.completed':
        return completed(item)
      // Not the end: it tries again, or `turn.failed` follows.
      case 'error':
        return retryOf(asText(line.message) ?? '')
      case 'turn.completed':
        told.ending = { ok: true }
        told.usage = usageOf(line.usage) ?? told.usage
        return []
      case 'turn.failed':
        return failed(asText(at(line, 'error', 'message')) ?? 'the turn failed')
      default:
        return []
    }
  }

  return { read: events, told: () => ({ ...told }) }
}

const notTools: unknown[] = ['agent_message', 'reasoning', 'error', 'todo_list']

const isTool = ({ type, id }: Json): boolean => typeof id === 'string' && !notTools.includes(type)

function detailOf(item: Json): string {
  const { command, changes, query, tool, server } = item
  return brief(command ?? changes ?? query ?? (tool === undefined ? null : `${server ?? ''} ${tool}`), 300)
}

const toolEnd = (id: string, item: Json): AgentEvent => ({
  type: 'tool-ended',
  id,
  ok: item.status !== 'failed' && item.status !== 'declined' && asCount(item.exit_code) === 0,
  output: item.aggregated_output === undefined ? null : brief(item.aggregated_output, 2_000),
})

/** "Reconnecting... 2/5 (unexpected status 529 …)". */
function retryOf(message: string): AgentEvent[] {
  const attempt = /^Reconnecting\.\.\. (\d+)\//.exec(message)?.[1]
  return attempt === undefined
    ? []
    : [{ type: 'retry', attempt: Number(attempt), status: statusIn(message), delayMs: 0 }]
}

/** The only place where it tells the status is the text of its errors. */
function statusIn(message: string): number | null {
  const found = /\b(?:unexpected|last|http) status:? (\d{3})\b/i.exec(message)?.[1]
  return asNumber(found === undefined ? null : Number(found))
}

/** Null when it is none. */
export function usageOf(value: unknown): Usage | null {
  const told = asObject(value)
  if (told === null) return null
  return {
    inputTokens: asCount(told.input_tokens),
    outputTokens: asCount(told.output_tokens),
    cachedTokens: asCount(told.cached_input_tokens),
  }
}
