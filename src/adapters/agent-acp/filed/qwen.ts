import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage, tokensOf } from '../../../delivery/money/ledger.ts'
import { sumOf } from '../../../proof/agents/estimate.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../told/json.ts'
import { inHome } from '../user-home.ts'
import type { Asked, Filed } from './filed.ts'
import { linesFrom } from './lines.ts'

/**
 * The file in which qwen keeps a session: each call of its model that has come to its end has a line there, those of its
 * own agents and those that failed and were tried again as well. It tells of none of these while it works.
 */
export async function qwenFiled({ env, session, since }: Asked): Promise<Filed | null> {
  const projects = join(env.QWEN_RUNTIME_DIR ?? env.QWEN_HOME ?? inHome('.qwen', env), 'projects')
  const folders = await readdir(projects).catch(() => [])
  const file = folders.map((name) => join(projects, name, 'chats', `${session}.jsonl`)).find((path) => existsSync(path))
  if (file === undefined) return null
  let filed: Filed = { usage: noUsage, broken: 0, hidden: 0, context: 0, trouble: null, whole: false }
  for await (const line of linesFrom(file)) {
    const entry = objectOn(line) ?? {}
    const isBefore = Date.parse(asText(entry.timestamp) ?? '') < since
    const next = after(filed, entry)
    filed = isBefore ? { ...filed, context: next.context } : next
  }
  return filed
}

function after(filed: Filed, entry: Json): Filed {
  // A prompt begins a turn: what went wrong before is over.
  if (entry.type === 'user') return { ...filed, trouble: null }
  if (entry.subtype === 'chat_compression') return broken(filed)
  const event = asObject(at(entry, 'systemPayload', 'uiEvent')) ?? {}
  switch (event['event.name']) {
    case 'qwen-code.api_response': {
      const usage = usageOf(event)
      const context = Math.max(filed.context, tokensOf(usage))
      return { ...filed, usage: sumOf(filed.usage, usage), context, trouble: null }
    }
    case 'qwen-code.api_error': {
      const trouble = { status: asNumber(event.status_code), message: asText(event.error_message) ?? 'a call failed' }
      return { ...(isFree(trouble) ? filed : broken(filed)), trouble }
    }
    case 'qwen-code.tool_call':
      return asksItself.includes(asText(event.function_name) ?? '') ? broken(filed) : filed
    default:
      return filed
  }
}

/** Tools that ask the model without a line of their own. */
const asksItself = ['web_fetch']

const broken = (filed: Filed): Filed => ({ ...filed, broken: filed.broken + 1 })

/**
 * Refused before anything was answered, or never there: the words of an answer begin with its status. An error in a
 * stream has a status too, but there the service had begun to answer.
 */
const isFree = ({ status, message }: NonNullable<Filed['trouble']>): boolean =>
  (status !== null && message.startsWith(String(status))) || /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN)\b/.test(message)

const usageOf = (call: Json) => ({
  inputTokens: asCount(call.input_token_count),
  outputTokens: asCount(call.output_token_count),
  cachedTokens: asCount(call.cached_content_token_count),
})
