// The stream of messages that claude prints, and qwen after its example.
import type { AgentEvent } from '../../../ports/agent-driver.ts'
import type { Reader, Told } from '../cli-agent.ts'
import { asCount, asList, asNumber, asObject, asText, at, brief, type Json } from '../json.ts'
import { endingOf } from './ending.ts'
import { openTally } from './tally.ts'

export interface Dialect {
  /** Whether what came from the cache is told apart from the input, and is not a part of it. */
  cacheIsApart: boolean
  /** Whether all messages of one call of the model have one id. */
  namesCalls: boolean
  /** Whether each result tells what the session has used in all, and not only what has come since the result before it. */
  isCumulative: boolean
}

export function messagesReader(dialect: Dialect): Reader {
  const tally = openTally(dialect)
  let call: string | null = null
  const told: Omit<Told, 'usage' | 'usd'> = { ending: null, session: null, text: '', model: null }

  function events(line: Json): AgentEvent[] {
    switch (line.type) {
      case 'system':
        return ofSystem(line)
      case 'assistant':
        return isNotice(line) ? [] : ofAssistant(line)
      case 'user':
        return asList(at(line, 'message', 'content')).flatMap(toolEnd)
      case 'rate_limit_event':
        return limitOf(asObject(line.rate_limit_info) ?? line)
      case 'result':
        end(line)
        return []
      default:
        return []
    }
  }

  function ofSystem(line: Json): AgentEvent[] {
    if (line.subtype === 'init') told.model = asText(line.model) ?? told.model
    return line.subtype === 'api_retry' || line.subtype === 'retry' ? [retryOf(line)] : []
  }

  function ofAssistant(line: Json): AgentEvent[] {
    const isMain = asText(line.parent_tool_use_id) === null
    const content = asList(at(line, 'message', 'content')).flatMap(contentEvent)
    const said = content.filter((event) => event.type === 'text')
    if (isMain) told.model = asText(at(line, 'message', 'model')) ?? told.model
    if (isMain && said.length > 0) told.text = said.map(({ text }) => text).join('\n')
    const usage = tally.addCall(at(line, 'message'))
    const events = isMain ? content : content.filter((event) => event.type === 'tool-started')
    return [...asked(line), ...events, ...(usage === null ? [] : [{ type: 'usage' as const, usage }])]
  }

  function asked(line: Json): AgentEvent[] {
    const id = asText(at(line, 'message', 'id'))
    if (!dialect.namesCalls || id === null || id === call) return []
    call = id
    return [{ type: 'model-asked' }]
  }

  function end(line: Json): void {
    tally.addResult(line)
    // Something was queued meanwhile: this is not the last word yet.
    if (asCount(line.queued_turn_count) > 0) return
    told.ending = endingOf(line)
    told.text = (told.ending.ok ? asText(line.result) : null) ?? told.text
  }

  return {
    read(line) {
      const session = asText(line.session_id)
      const isNamed = session !== null && told.session === null
      if (isNamed) told.session = session
      return [...(isNamed ? [{ type: 'session' as const, session }] : []), ...events(line)]
    },
    told: () => ({ ...told, ...tally.told() }),
  }
}

/** Not from the model: the program itself puts an error into the model's mouth. */
const isNotice = (line: Json): boolean =>
  line.is_api_error_message === true || asText(at(line, 'message', 'model')) === '<synthetic>'

function contentEvent(part: unknown): AgentEvent[] {
  const { type, text, thinking, id, name, input } = asObject(part) ?? {}
  if (type === 'text' && typeof text === 'string') return [{ type: 'text', text }]
  if (type === 'thinking' && typeof thinking === 'string') return [{ type: 'thinking', text: thinking }]
  if (type === 'tool_use' && typeof id === 'string')
    return [{ type: 'tool-started', id, name: asText(name) ?? 'tool', detail: detailOf(input) }]
  return []
}

const telling = ['command', 'file_path', 'path', 'pattern', 'url', 'query', 'description']

function detailOf(input: unknown): string {
  const fields = asObject(input) ?? {}
  const key = telling.find((name) => typeof fields[name] === 'string')
  return brief(key === undefined ? input : fields[key], 300)
}

function toolEnd(part: unknown): AgentEvent[] {
  const { type, tool_use_id: id, is_error: isError, content } = asObject(part) ?? {}
  if (type !== 'tool_result' || typeof id !== 'string') return []
  return [{ type: 'tool-ended', id, ok: isError !== true, output: brief(outputOf(content), 2_000) }]
}

const outputOf = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => asText(at(part, 'text')) ?? '').join('\n') : content

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
