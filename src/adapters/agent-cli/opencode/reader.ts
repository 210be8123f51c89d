import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asObject, asText, type Json } from '../json.ts'
import { failureOf, lastReason, refusalOf } from './failure.ts'
import { openTally } from './tally.ts'
import { detailOf, toolEnd } from './tool.ts'

/** Also reads what our plugin in it tells, in lines of types that begin with `ropewalk_`. */
export const opencodeReader = (): Reader => new OpencodeReader()

class OpencodeReader implements Reader {
  readonly #told: Told = { ending: null, session: null, text: '', usage: null, usd: null, model: null }
  readonly #tally = openTally()
  readonly #open = new Set<string>()
  /** Our plugin and its host write side by side: that a tool begins may be told after its end. */
  readonly #begun = new Set<string>()
  /** A text is told after the tool that follows it has begun: it waits, so that the tool is not taken as over. */
  #held: AgentEvent[] = []
  #reason: string | null = null
  /** Null when nobody would tell: then the last step is the last word. */
  #idle: boolean | null = null

  #say(event: AgentEvent): AgentEvent[] {
    if (this.#open.size === 0) return [event]
    this.#held.push(event)
    return []
  }

  #release(): AgentEvent[] {
    const events = this.#open.size === 0 ? this.#held : []
    if (this.#open.size === 0) this.#held = []
    return events
  }

  #step(part: Json, isLast: boolean): AgentEvent[] {
    const isCounted = this.#tally.add(part)
    if (isLast) this.#reason = asText(part.reason)
    return isCounted ? [{ type: 'usage', usage: this.#tally.usage() }] : []
  }

  #begin(line: Json): AgentEvent[] {
    const id = asText(line.callID)
    if (id === null || this.#begun.has(id) || line.sessionID !== this.#told.session) return []
    this.#begun.add(id)
    this.#open.add(id)
    return [{ type: 'tool-started', id, name: asText(line.tool) ?? 'tool', detail: detailOf(line.args) }]
  }

  #end(part: Json): AgentEvent[] {
    const id = asText(part.callID)
    if (id === null) return []
    const { input } = asObject(part.state) ?? {}
    const begun = this.#begin({ ...part, sessionID: this.#told.session, args: input })
    this.#open.delete(id)
    return [...begun, toolEnd(id, part), ...this.#release()]
  }

  #refused(line: Json): AgentEvent[] {
    const { event, limit, error } = refusalOf(line)
    if (error !== null) this.#told.ending = { ok: false, error }
    return [event, ...limit]
  }

  #main(line: Json): AgentEvent[] {
    const part = asObject(line.part) ?? {}
    switch (line.type) {
      case 'step_start':
        this.#reason = null
        return [{ type: 'model-asked' }]
      case 'text':
        this.#told.text = asText(part.text) ?? this.#told.text
        return this.#say({ type: 'text', text: asText(part.text) ?? '' })
      case 'reasoning':
        return this.#say({ type: 'thinking', text: asText(part.text) ?? '' })
      case 'tool_use':
        return this.#end(part)
      case 'step_finish':
        this.#open.clear()
        return [...this.#release(), ...this.#step(part, true)]
      case 'error':
        this.#told.ending = { ok: false, error: failureOf(line.error) }
        return []
      default:
        return this.#plugged(line)
    }
  }

  #plugged(line: Json): AgentEvent[] {
    switch (line.type) {
      case 'ropewalk_busy':
      case 'ropewalk_idle':
        if (line.sessionID === this.#told.session) this.#idle = line.type === 'ropewalk_idle'
        return []
      case 'ropewalk_retry':
        return this.#refused(line)
      case 'ropewalk_tool':
        return this.#begin(line)
      case 'ropewalk_step':
        return this.#step(asObject(line.part) ?? {}, false)
      default:
        return []
    }
  }

  read(line: Json): AgentEvent[] {
    const session = this.#told.session === null ? asText(line.sessionID) : null
    this.#told.session ??= session
    const events = this.#main(line)
    this.#told.ending ??= this.#idle === false ? null : lastReason(this.#reason)
    return [...(session === null ? [] : [{ type: 'session' as const, session }]), ...events]
  }

  told(): Told {
    return { ...this.#told, usage: this.#tally.used(), usd: this.#tally.usd() }
  }
}
