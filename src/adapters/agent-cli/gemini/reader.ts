import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asText, at, brief, type Json } from '../json.ts'
import { failureOf } from './failure.ts'
import { modelOf, usageOf } from './stats.ts'

export function geminiReader(): Reader {
  const told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  /** The message that it is telling piece by piece. */
  let message = ''
  let trouble: string | null = null

  function whole(): AgentEvent[] {
    if (message === '') return []
    told.text = message
    message = ''
    return [{ type: 'text', text: told.text }]
  }

  function ended(line: Json): AgentEvent[] {
    const stats = usageOf(line.stats)
    told.usage = stats ?? told.usage
    told.model = modelOf(line.stats) ?? told.model
    told.ending = line.status === 'success' ? { ok: true } : { ok: false, error: failureOf(line, trouble) }
    return [...whole(), ...(stats === null ? [] : [{ type: 'usage' as const, usage: stats }])]
  }

  function read(line: Json): AgentEvent[] {
    switch (line.type) {
      case 'init':
        told.session = asText(line.session_id)
        told.model = asText(line.model)
        return told.session === null ? [] : [{ type: 'session', session: told.session }]
      case 'message':
        if (line.role !== 'assistant') return []
        message += asText(line.content) ?? ''
        return line.delta === true ? [] : whole()
      case 'tool_use':
        return [...whole(), ...toolStart(line)]
      case 'tool_result':
        return [...whole(), ...toolEnd(line)]
      case 'error':
        // Also warnings come so: only the result tells whether it has failed.
        trouble = asText(line.message) ?? trouble
        return []
      case 'result':
        return ended(line)
      default:
        return []
    }
  }

  return { read, told: () => ({ ...told, text: message || told.text }) }
}

function toolStart({ tool_id, tool_name, parameters }: Json): AgentEvent[] {
  const id = asText(tool_id)
  if (id === null) return []
  const detail = brief(at(parameters, 'command') ?? at(parameters, 'file_path') ?? parameters, 300)
  return [{ type: 'tool-started', id, name: asText(tool_name) ?? 'tool', detail }]
}

function toolEnd({ tool_id, status, output, error }: Json): AgentEvent[] {
  const id = asText(tool_id)
  if (id === null) return []
  const said = output ?? at(error, 'message')
  return [{ type: 'tool-ended', id, ok: status === 'success', output: said === undefined ? null : brief(said, 2_000) }]
}
