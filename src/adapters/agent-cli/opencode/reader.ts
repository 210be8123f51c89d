import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asObject, asText, type Json } from '../json.ts'
import { failureOf, lastReason, refusalOf } from './failure.ts'
import { openTally } from './tally.ts'
import { detailOf, toolEnd } from './tool.ts'

/** Also reads what our plugin in it tells, in lines of types that begin with `ropewalk_`. */
export function opencodeReader(): Reader {
  const told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  const tally = openTally()
  const open = new Set<string>()
  /** A text is told after the tool that follows it has begun: it waits, so that the tool is not taken as over. */
  let held: AgentEvent[] = []
  let reason: string | null = null
  /** Null when nobody would tell: then the last step is the last word. */
  let idle: boolean | null = null

  function say(event: AgentEvent): AgentEvent[] {
    if (open.size === 0) return [event]
    held.push(event)
    return []
  }

  function release(): AgentEvent[] {
    const events = open.size === 0 ? held : []
    if (open.size === 0) held = []
    return events
  }

  function step(part: Json, isLast: boolean): AgentEvent[] {
    const isCounted = tally.add(part)
    if (isLast) reason = asText(part.reason)
    return isCounted ? [{ type: 'usage', usage: tally.usage() }] : []
  }

  function begin(line: Json): AgentEvent[] {
    const id = asText(line.callID)
    if (id === null || open.has(id) || line.sessionID !== told.session) return []
    open.add(id)
    return [{ type: 'tool-started', id, name: asText(line.tool) ?? 'tool', detail: detailOf(line.args) }]
  }

  function end(part: Json): AgentEvent[] {
    const id = asText(part.callID)
    if (id === null) return []
    const { input } = asObject(part.state) ?? {}
    const begun = begin({ ...part, sessionID: told.session, args: input })
    open.delete(id)
    return [...begun, toolEnd(id, part), ...release()]
  }

  function refused(line: Json): AgentEvent[] {
    const { event, limit, error } = refusalOf(line)
    if (error !== null) told.ending = { ok: false, error }
    return [event, ...limit]
  }

  function main(line: Json): AgentEvent[] {
    const part = asObject(line.part) ?? {}
    switch (line.type) {
      case 'step_start':
        reason = null
        return []
      case 'text':
        told.text = asText(part.text) ?? told.text
        return say({ type: 'text', text: asText(part.text) ?? '' })
      case 'reasoning':
        return say({ type: 'thinking', text: asText(part.text) ?? '' })
      case 'tool_use':
        return end(part)
      case 'step_finish':
        open.clear()
        return [...release(), ...step(part, true)]
      case 'error':
        told.ending = { ok: false, error: failureOf(line.error) }
        return []
      default:
        return plugged(line)
    }
  }

  function plugged(line: Json): AgentEvent[] {
    switch (line.type) {
      case 'ropewalk_busy':
      case 'ropewalk_idle':
        if (line.sessionID === told.session) idle = line.type === 'ropewalk_idle'
        return []
      case 'ropewalk_retry':
        return refused(line)
      case 'ropewalk_tool':
        return begin(line)
      case 'ropewalk_step':
        return step(asObject(line.part) ?? {}, false)
      default:
        return []
    }
  }

  function read(line: Json): AgentEvent[] {
    const session = told.session === null ? asText(line.sessionID) : null
    told.session ??= session
    const events = main(line)
    told.ending ??= idle === false ? null : lastReason(reason)
    return [...(session === null ? [] : [{ type: 'session' as const, session }]), ...events]
  }

  return { read, told: () => ({ ...told, usage: tally.used(), usd: tally.usd() }) }
}
