import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage } from '../../../delivery/money/ledger.ts'
import type { Filed } from '../cli-agent.ts'
import { asText, at, objectOn } from '../json.ts'
import { linesOf } from '../lines.ts'
import { usageOf } from './reader.ts'

/** What a thread has used, from the file in which codex keeps it. */
export async function rolloutOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const sessions = join(home, 'sessions')
  const files = await readdir(sessions, { recursive: true }).catch(() => [])
  const file = files.find((name) => name.endsWith(`-${session}.jsonl`))
  if (file === undefined) return null
  const filed: Filed = { usage: noUsage, counted: noUsage, model: null, trouble: null }
  for await (const line of linesOf(join(sessions, file))) {
    if (!/"type":"(?:token_usage_record|token_count|turn_context)"/.test(line)) continue
    const payload = at(objectOn(line), 'payload')
    // Each call is on record at once, but the count that it resumes with only when its tools have run.
    filed.counted = usageOf(at(payload, 'info', 'total_token_usage')) ?? filed.counted
    filed.usage = usageOf(at(payload, 'thread_token_usage') ?? at(payload, 'info', 'total_token_usage')) ?? filed.usage
    filed.model = asText(at(payload, 'model')) ?? filed.model
  }
  return filed
}
