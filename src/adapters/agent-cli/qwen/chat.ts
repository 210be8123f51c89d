import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { Filed } from '../cli-agent.ts'
import { asCount, asNumber, asObject, asText, at, type Json, objectOn } from '../json.ts'
import { linesOf } from '../lines.ts'

/** What a session has used, from the file in which qwen keeps it: each call of the model has a line of its own. */
export async function chatOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const projects = join(home, 'projects')
  const folders = await readdir(projects).catch(() => [])
  const file = folders.map((name) => join(projects, name, 'chats', `${session}.jsonl`)).find((path) => existsSync(path))
  if (file === undefined) return null
  let filed: Filed = { usage: noUsage, counted: noUsage, model: null, trouble: null }
  for await (const line of linesOf(file)) {
    const entry = objectOn(line)
    // A prompt begins a turn: what went wrong before is over.
    if (entry?.type === 'user') filed = { ...filed, trouble: null }
    const call = asObject(at(entry, 'systemPayload', 'uiEvent'))
    if (call !== null) filed = after(filed, call)
  }
  return filed
}

function after(filed: Filed, call: Json): Filed {
  const status = asNumber(call.status_code)
  switch (call['event.name']) {
    case 'qwen-code.api_error':
      return { ...filed, trouble: { status, message: asText(call.error_message) ?? 'the model API refused' } }
    case 'qwen-code.api_response': {
      const usage = plus(filed.usage, call)
      return { usage, counted: usage, model: asText(call.model) ?? filed.model, trouble: null }
    }
    default:
      return filed
  }
}

const plus = (usage: Usage, call: Json): Usage => ({
  inputTokens: usage.inputTokens + asCount(call.input_token_count),
  outputTokens: usage.outputTokens + asCount(call.output_token_count),
  cachedTokens: usage.cachedTokens + asCount(call.cached_content_token_count),
})
