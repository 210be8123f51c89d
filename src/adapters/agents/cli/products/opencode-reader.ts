import { noUsage } from '../../../../delivery/money/ledger.ts'
import type { AgentError, AgentEvent } from '../../../../ports/agent-driver.ts'
import { errorFrom } from '../../failure.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../../json.ts'
import { sumOf, usageBy } from '../../usage.ts'
import {
  failedBy,
  type LineReader,
  nothingTold,
  opened,
  readerBy,
  type ToldByLines,
  tellingOf,
  toolEnded,
  toolStarted,
} from '../reader.ts'

/** Also reads what our plugin in it tells, in lines of types that begin with `ropewalk_`. */
export const opencodeReader = (): LineReader => new OpencodeReader()

class OpencodeReader implements LineReader {
  readonly #told = nothingTold()
  readonly #steps = new Set<string>()
  readonly #open = new Set<string>()
  /** Our plugin and its host write side by side: that a tool begins may be told after its end. */
  readonly #begun = new Set<string>()
  /** A text is told after the tool that follows it has begun: it waits, so that the tool is not taken as over. */
  readonly #held: AgentEvent[] = []
  #reason: string | null = null
  /** Null when nobody would tell: then the last step is the last word. */
  #idle: boolean | null = null

  readonly #reader = readerBy(this.#told, {
    step_start: () => {
      this.#reason = null
      return [{ type: 'model-asked' }]
    },
    text: (line) => {
      const text = asText(partOf(line).text)
      this.#told.text = text ?? this.#told.text
      return this.#say('text', text ?? '')
    },
    reasoning: (line) => this.#say('thinking', asText(partOf(line).text) ?? ''),
    tool_use: (line) => this.#end(partOf(line)),
    step_finish: (line) => {
      this.#open.clear()
      this.#reason = asText(partOf(line).reason)
      return [...this.#release(), ...this.#step(partOf(line))]
    },
    error: (line) => {
      this.#told.ending = { ok: false, error: failureOf(line.error) }
    },
    ropewalk_busy: (line) => this.#turned(line, false),
    ropewalk_idle: (line) => this.#turned(line, true),
    ropewalk_retry: (line) => this.#refused(line),
    ropewalk_tool: (line) => this.#begin(line),
    ropewalk_step: (line) => this.#step(partOf(line)),
  })

  read(line: Json): AgentEvent[] {
    const named = opened(this.#told, line.sessionID)
    const events = this.#reader.read(line)
    this.#told.ending ??= this.#idle === false ? null : lastReason(this.#reason)
    return [...named, ...events]
  }

  told(): ToldByLines {
    return this.#reader.told()
  }

  #turned(line: Json, isIdle: boolean): void {
    if (line.sessionID === this.#told.session) this.#idle = isIdle
  }

  #say(type: 'text' | 'thinking', text: string): AgentEvent[] {
    this.#held.push({ type, text })
    return this.#release()
  }

  #release(): AgentEvent[] {
    return this.#open.size === 0 ? this.#held.splice(0) : []
  }

  /** Each is told twice where our plugin runs, those of its sub-agents only there. */
  #step(part: Json): AgentEvent[] {
    const told = this.#told
    const id = asText(part.id)
    if (id === null || this.#steps.has(id)) return []
    this.#steps.add(id)
    told.usage = sumOf(told.usage ?? noUsage, usageOfTokens(part.tokens))
    // It tells nothing as the price of a model whose price it does not know.
    const usd = (told.usd ?? 0) + (asNumber(part.cost) ?? 0)
    told.usd = usd === 0 ? null : usd
    return [{ type: 'usage', usage: told.usage }]
  }

  #begin(line: Json): AgentEvent[] {
    const id = asText(line.callID)
    if (id === null || this.#begun.has(id) || line.sessionID !== this.#told.session) return []
    this.#begun.add(id)
    this.#open.add(id)
    return toolStarted(id, line.tool, tellingOf(line.args, 'command', 'filePath'))
  }

  #end(part: Json): AgentEvent[] {
    const id = asText(part.callID)
    if (id === null) return []
    const { input, status, output, error, metadata } = asObject(part.state) ?? {}
    const before = this.#begin({ ...part, sessionID: this.#told.session, args: input })
    this.#open.delete(id)
    const ok = status === 'completed' && asCount(at(metadata, 'exit')) === 0
    return [...before, ...toolEnded(id, ok, output ?? error), ...this.#release()]
  }

  #refused(line: Json): AgentEvent[] {
    const { event, limit, error } = refusalOf(line)
    if (error !== null) this.#told.ending = { ok: false, error }
    return [event, ...limit]
  }
}

const partOf = (line: Json): Json => asObject(line.part) ?? {}

export const usageOfTokens = usageBy(['input', 'cache.read', 'cache.write'], ['output', 'reasoning'], 'cache.read')

/** What an API said when it refused a call, with its own name for that where there is one. */
export function wordsOfRefusal(data: unknown): string {
  const body = at(objectOn(asText(at(data, 'responseBody')) ?? ''), 'error')
  const type = asText(at(body, 'code')) ?? asText(at(body, 'type'))
  return `${asText(at(data, 'message')) ?? 'it failed without a reason'}${type === null ? '' : ` (${type})`}`
}

/** What its `error` line tells: the name of the error, what the API said, and how the API calls that. */
function failureOf(error: unknown): AgentError {
  const data = at(error, 'data')
  const message = `${asText(at(error, 'name')) ?? 'Error'}: ${wordsOfRefusal(data)}`
  return errorFrom({ status: asNumber(at(data, 'statusCode')), message, resetsAt: null })
}

/** It tries again for minutes, and cannot be told not to: after so many waits, or before a long one, it is refused. */
const enoughWaits = 3
const longWaitMs = 30_000

interface Refusal {
  event: AgentEvent
  limit: AgentEvent[]
  /** Null while it may still get over it. */
  error: AgentError | null
}

function refusalOf(line: Json): Refusal {
  const attempt = asCount(line.attempt)
  const delayMs = asCount(line.delayMs)
  const status = asNumber(line.status)
  const resetsAt = delayMs > longWaitMs ? asNumber(line.next) : null
  const isOver = attempt >= enoughWaits || delayMs > longWaitMs
  const told = { status, message: asText(line.message) ?? 'the call of the model failed', resetsAt }
  return {
    event: { type: 'retry', attempt, status, delayMs },
    limit: resetsAt === null ? [] : [{ type: 'limit', resetsAt }],
    error: isOver ? passing(errorFrom(told)) : null,
  }
}

/** It tries again only what it takes for passing. */
const passing = (error: AgentError): AgentError =>
  error.kind === 'unknown' ? { ...error, kind: 'overloaded', retryable: true } : error

/** What the reason of a step means for the turn; null: it goes on. */
function lastReason(reason: string | null): ToldByLines['ending'] {
  if (reason === null || reason === 'tool-calls' || reason === 'unknown') return null
  return reason === 'stop' ? { ok: true } : failedBy(null, `the model stopped: ${reason}`)
}
