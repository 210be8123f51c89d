import { createReadStream, existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { noUsage } from '../../../delivery/money/ledger.ts'
import { sumOf } from '../../../ports/agent/estimate.ts'
import type { OnRecord, Records } from '../records.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../told/json.ts'

/**
 * The file in which qwen keeps a session: each call of its model has a line there, those of its own agents and those
 * that failed and were tried again as well. It tells of none of these while it works. Null where there is no such file.
 */
export async function chatOf({ env, session }: OnRecord): Promise<Records | null> {
  const home = env.QWEN_RUNTIME_DIR ?? env.QWEN_HOME ?? join(env.HOME ?? homedir(), '.qwen')
  const projects = join(home, 'projects')
  const folders = await readdir(projects).catch(() => [])
  const file = folders.map((name) => join(projects, name, 'chats', `${session}.jsonl`)).find((path) => existsSync(path))
  if (file === undefined) return null
  let records: Records = { usage: noUsage, unpriced: 0, trouble: null, entries: 0 }
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    records = { ...after(records, objectOn(line) ?? {}), entries: records.entries + 1 }
  return records
}

function after(records: Records, entry: Json): Records {
  // A prompt begins a turn: what went wrong before is over.
  if (entry.type === 'user') return { ...records, trouble: null }
  if (entry.subtype === 'chat_compression') return unpriced(records)
  const event = asObject(at(entry, 'systemPayload', 'uiEvent')) ?? {}
  switch (event['event.name']) {
    case 'qwen-code.api_response':
      return { ...records, usage: sumOf(records.usage, usageOf(event)), trouble: null }
    case 'qwen-code.api_error': {
      const trouble = { status: asNumber(event.status_code), message: asText(event.error_message) ?? 'a call failed' }
      return { ...(isFree(trouble) ? records : unpriced(records)), trouble }
    }
    case 'qwen-code.tool_call':
      return asksItself.includes(asText(event.function_name) ?? '') ? unpriced(records) : records
    default:
      return records
  }
}

/** Tools that ask the model without a line of their own. */
const asksItself = ['web_fetch']

const unpriced = (records: Records): Records => ({ ...records, unpriced: records.unpriced + 1 })

/**
 * Refused before anything was answered, or never there: the words of an answer begin with its status. An error in a
 * stream has a status too, but there the service had begun to answer.
 */
const isFree = ({ status, message }: NonNullable<Records['trouble']>): boolean =>
  (status !== null && message.startsWith(String(status))) || /\bE(?:CONNREFUSED|NOTFOUND|AI_AGAIN)\b/.test(message)

const usageOf = (call: Json) => ({
  inputTokens: asCount(call.input_token_count),
  outputTokens: asCount(call.output_token_count),
  cachedTokens: asCount(call.cached_content_token_count),
})
