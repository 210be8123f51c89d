import { join } from 'node:path'
import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { Filed } from '../cli-agent.ts'
import { asText, at, objectOn } from '../json.ts'
import { linesOf } from '../lines.ts'
import { sumOf, usageOf } from './usage-file.ts'

/** What a session has used, from the file in which copilot keeps it: each call of the model has a record of its own. */
export async function sessionOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  let usage: Usage = noUsage
  let model: string | null = null
  try {
    for await (const line of linesOf(join(home, 'session-state', session, 'events.jsonl'))) {
      const event = objectOn(line)
      if (event?.type !== 'session.usage_record') continue
      usage = sumOf([usage, usageOf(at(event, 'data', 'usage'))])
      model = asText(at(event, 'data', 'usage', 'model')) ?? model
    }
  } catch {
    return null
  }
  return { usage, counted: usage, model, trouble: null }
}
