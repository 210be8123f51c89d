import type { Usage } from '../../../delivery/money/ledger.ts'
import type { AgentErrorKind, AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asCount, asNumber, asText, at, type Json } from '../json.ts'

/** Our own agent's lines are our own events; its last one is the result. */
export function builtinReader(): Reader {
  const told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  return {
    read(line) {
      if (line.type === 'session') told.session = asText(line.session)
      if (line.type === 'usage' || line.type === 'result') told.usage = usageIn(line)
      if (line.type === 'result') {
        told.ending = line.ok === true ? { ok: true } : { ok: false, error: errorIn(line) }
        if (line.exact === false) told.inexact = true
        told.text = asText(line.text) ?? ''
        told.model = asText(line.model)
      }
      const event = eventOn(line)
      return event === null ? [] : [event]
    },
    told: () => told,
  }
}

function eventOn(line: Json): AgentEvent | null {
  const id = asText(line.id) ?? ''
  const text = asText(line.text) ?? ''
  switch (line.type) {
    case 'session':
      return { type: 'session', session: asText(line.session) ?? '' }
    case 'model-asked':
      return { type: 'model-asked' }
    case 'text':
    case 'thinking':
      return { type: line.type, text }
    case 'tool-started':
      return { type: 'tool-started', id, name: asText(line.name) ?? '', detail: asText(line.detail) ?? '' }
    case 'tool-ended':
      return { type: 'tool-ended', id, ok: line.ok === true, output: asText(line.output) }
    case 'retry':
      return { type: 'retry', attempt: asCount(line.attempt), status: asNumber(line.status), delayMs: 0 }
    case 'limit':
      return { type: 'limit', resetsAt: asNumber(line.resetsAt) }
    case 'usage':
      return { type: 'usage', usage: usageIn(line) }
    default:
      return null
  }
}

const usageIn = (line: Json): Usage => ({
  inputTokens: asCount(at(line, 'usage', 'inputTokens')),
  outputTokens: asCount(at(line, 'usage', 'outputTokens')),
  cachedTokens: asCount(at(line, 'usage', 'cachedTokens')),
})

const errorIn = (line: Json) => ({
  // The program is of the same version as we are.
  kind: (asText(at(line, 'error', 'kind')) ?? 'unknown') as AgentErrorKind,
  status: asNumber(at(line, 'error', 'status')),
  message: asText(at(line, 'error', 'message')) ?? 'it failed and did not say how',
  resetsAt: asNumber(at(line, 'error', 'resetsAt')),
})
