import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { noUsage } from '../../delivery/money/ledger.ts'
import { atLeast, sumOf } from '../../ports/agent/estimate.ts'
import type { LostTurn, Spent } from '../../ports/agent-driver.ts'
import { asObject, at, objectOn } from './told/json.ts'
import { openUpdates } from './told/updates.ts'
import { isUsed, usageOfAnswer } from './told/usage.ts'

/** What a turn has used that nobody could see to its end, as far as it had told. */
export async function salvage({ transcript, promptChars }: LostTurn): Promise<Spent | null> {
  const updates = openUpdates(promptChars, () => {})
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
  const { usage: told, untold } = updates.told()
  // What is answered may be about the last call alone.
  const usage = atLeast(answered ?? noUsage, sumOf(told ?? noUsage, untold))
  return isUsed(usage) ? { usage, usd: null, exact: false, model: null, totals: null } : null
}
