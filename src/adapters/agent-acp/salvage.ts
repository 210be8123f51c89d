import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Spent } from '../../ports/agent-driver.ts'
import { asObject, at, objectOn } from './told/json.ts'
import { openUpdates } from './told/updates.ts'
import { usageOfAnswer } from './told/usage.ts'

/** What a turn has used that nobody could see to its end, as far as it had told. */
export async function salvage(transcript: string): Promise<Spent | null> {
  const updates = openUpdates(() => {})
  let answered: ReturnType<typeof usageOfAnswer> = null
  try {
    for await (const line of createInterface({
      input: createReadStream(transcript),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const message = objectOn(line)
      const result = asObject(message?.result)
      if (message?.method === 'session/update') updates.hear(asObject(at(message, 'params', 'update')) ?? {})
      else if (result !== null && 'stopReason' in result) answered = usageOfAnswer(result)
      // What was told before an answer to anything else was the session's past.
      else if (result !== null) updates.begin()
    }
  } catch {
    return null
  }
  const usage = answered ?? updates.told().usage
  return usage === null ? null : { usage, usd: null, exact: false, model: null, totals: null }
}
