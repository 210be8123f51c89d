// The stream of messages that claude prints, and qwen after its example.
import { noUsage, type Usage } from '../../../../delivery/money/ledger.ts'
import type { AgentEvent } from '../../../../ports/agent-driver.ts'
import { failed } from '../../failure.ts'
import { asCount, asList, asNumber, asObject, asText, at, type Json } from '../../json.ts'
import { anthropicUsage, atLeast, isUsed, sumOf, usageBy } from '../../usage.ts'
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

export interface Dialect {
  /** Whether what came from the cache is told apart from the input, and is not a part of it. */
  cacheIsApart: boolean
  /** Whether all messages of one call of the model have one id. */
  namesCalls: boolean
  /** Whether each result tells what the session has used in all, and not only what has come since the result before it. */
  isCumulative: boolean
}

export function messagesReader(dialect: Dialect): LineReader {
  const tally = openTally(dialect)
  const told = nothingTold()
  let call: string | null = null

  function asked(line: Json): AgentEvent[] {
    const id = asText(at(line, 'message', 'id'))
    if (!dialect.namesCalls || id === null || id === call) return []
    call = id
    return [{ type: 'model-asked' }]
  }

  function spoke(line: Json): AgentEvent[] {
    const isMain = asText(line.parent_tool_use_id) === null
    const content = asList(at(line, 'message', 'content')).flatMap(contentEvent)
    const said = content.filter((event) => event.type === 'text')
    if (isMain) told.model = asText(at(line, 'message', 'model')) ?? told.model
    if (isMain && said.length > 0) told.text = said.map(({ text }) => text).join('\n')
    const usage = tally.addCall(at(line, 'message'))
    const events = isMain ? content : content.filter((event) => event.type === 'tool-started')
    return [...asked(line), ...events, ...(usage === null ? [] : [{ type: 'usage' as const, usage }])]
  }

  const reader = readerBy(told, {
    system(line) {
      if (line.subtype === 'init') told.model = asText(line.model) ?? told.model
      return line.subtype === 'api_retry' || line.subtype === 'retry' ? [retryOf(line)] : []
    },
    assistant: (line) => (isNotice(line) ? [] : spoke(line)),
    user: (line) => asList(at(line, 'message', 'content')).flatMap(toolEnd),
    rate_limit_event: (line) => limitOf(asObject(line.rate_limit_info) ?? line),
    result(line) {
      tally.addResult(line)
      // Something was queued meanwhile: this is not the last word yet.
      if (asCount(line.queued_turn_count) > 0) return
      told.ending = endingOf(line)
      told.text = (told.ending.ok ? asText(line.result) : null) ?? told.text
    },
  })
  return {
    read: (line) => [...opened(told, line.session_id), ...reader.read(line)],
    told: () => ({ ...told, ...tally.told() }),
  }
}

/** Not from the model: the program itself puts an error into the model's mouth. */
const isNotice = (line: Json): boolean =>
  line.is_api_error_message === true || asText(at(line, 'message', 'model')) === '<synthetic>'

const telling = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description']

function contentEvent(part: unknown): AgentEvent[] {
  const { type, text, thinking, id, name, input } = asObject(part) ?? {}
  if (type === 'text' && typeof text === 'string') return [{ type: 'text', text }]
  if (type === 'thinking' && typeof thinking === 'string') return [{ type: 'thinking', text: thinking }]
  return type === 'tool_use' ? toolStarted(id, name, tellingOf(input, ...telling)) : []
}

function toolEnd(part: unknown): AgentEvent[] {
  const { type, tool_use_id: id, is_error: isError, content } = asObject(part) ?? {}
  const output = Array.isArray(content) ? content.map((one) => asText(at(one, 'text')) ?? '').join('\n') : content
  return type === 'tool_result' ? toolEnded(id, isError !== true, output ?? '') : []
}

const retryOf = (line: Json): AgentEvent => ({
  type: 'retry',
  attempt: asCount(line.attempt),
  status: asNumber(line.error_status) ?? asNumber(line.status) ?? asNumber(line.errorStatus),
  delayMs: asCount(line.retry_delay_ms ?? line.delayMs),
})

/** The other states are news of how much is left. */
function limitOf({ status, resetsAt }: Json): AgentEvent[] {
  const seconds = asNumber(resetsAt)
  return status === 'rejected' ? [{ type: 'limit', resetsAt: seconds === null ? null : seconds * 1000 }] : []
}

/** What a result says. Its subtype is no help: it may be "success" with an error in it. */
function endingOf(result: Json): NonNullable<ToldByLines['ending']> {
  const reason = asText(result.terminal_reason)
  const isFine = result.is_error === false && (reason === null || reason === 'completed')
  if (isFine && result.subtype === 'success') return { ok: true }
  const message = messageOf(result)
  if (result.subtype === 'error_max_turns') return { ok: false, error: failed('turns', message) }
  // qwen writes the status at the head of its message.
  const written = Number.parseInt(/^\[API Error: (\d{3})\b/.exec(message)?.[1] ?? '', 10)
  return failedBy(asNumber(result.api_error_status) ?? asNumber(written), message)
}

function messageOf(result: Json): string {
  const errors = asList(result.errors).filter((error) => typeof error === 'string')
  const said = asText(at(result, 'error', 'message')) ?? asText(result.result) ?? errors.join('; ')
  const type = asText(result.api_error_type) ?? asText(at(result, 'error', 'type'))
  return `${said || asText(result.subtype) || 'it failed'}${type === null ? '' : ` (${type})`}`
}

const plainUsage = usageBy(['input_tokens'], ['output_tokens'], 'cache_read_input_tokens')
const modelUsage = usageBy(
  ['inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'],
  ['outputTokens'],
  'cacheReadInputTokens',
)

/** Counts what calls told, until a result tells the sum. */
export function openTally({ cacheIsApart, isCumulative }: Pick<Dialect, 'cacheIsApart' | 'isCumulative'>) {
  const calls = new Map<string, Usage>()
  let summed: Usage | null = null
  let usd: number | null = null

  const usageOf = cacheIsApart ? anthropicUsage : plainUsage
  const ofCalls = (): Usage | null => (calls.size === 0 ? null : [...calls.values()].reduce(sumOf, noUsage))

  return {
    /** A call comes in several messages of one id. Null when it tells nothing. */
    addCall(message: unknown): Usage | null {
      const { id, usage } = asObject(message) ?? {}
      const told = asObject(usage)
      if (told === null || typeof id !== 'string') return null
      if (isUsed(usageOf(told))) calls.set(id, usageOf(told))
      return ofCalls()
    },
    addResult(result: Json): void {
      const models = Object.values(asObject(result.model_usage_since_last_result) ?? {})
      const prices = models.flatMap((model) => asNumber(at(model, 'costUSD')) ?? [])
      if (prices.length > 0) usd = prices.reduce((sum, price) => sum + price, usd ?? 0)
      const told = models.length > 0 ? models.map(modelUsage).reduce(sumOf) : usageOf(result.usage)
      summed = (isCumulative ? atLeast : sumOf)(summed ?? noUsage, told)
    },
    /** Null when none has told anything. */
    ofCalls,
    told: (): Pick<ToldByLines, 'usage' | 'usd'> => ({ usage: summed, usd }),
  }
}
