import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import { atLeast } from '../../../proof/agents/estimate.ts'
import type { Told } from '../cli-agent.ts'
import { asCount, asNumber, asObject, type Json } from '../json.ts'

/** Counts what calls told, until a result tells the sum. */
export function openTally({ cacheIsApart, isCumulative }: { cacheIsApart: boolean; isCumulative: boolean }) {
  const calls = new Map<string, Usage>()
  let summed: Usage | null = null
  let usd: number | null = null

  const usageOf = (told: Json): Usage => {
    const cachedTokens = asCount(told.cache_read_input_tokens ?? told.cacheReadInputTokens)
    const written = asCount(told.cache_creation_input_tokens ?? told.cacheCreationInputTokens)
    const input = asCount(told.input_tokens ?? told.inputTokens)
    return {
      inputTokens: cacheIsApart ? input + cachedTokens + written : input,
      outputTokens: asCount(told.output_tokens ?? told.outputTokens),
      cachedTokens,
    }
  }
  const ofCalls = (): Usage | null => (calls.size === 0 ? null : [...calls.values()].reduce(plus, noUsage))

  return {
    /** A call comes in several messages of one id. Null when it tells nothing. */
    addCall(message: unknown): Usage | null {
      const { id, usage } = asObject(message) ?? {}
      const told = asObject(usage)
      if (told === null || typeof id !== 'string') return null
      const counted = usageOf(told)
      if (counted.inputTokens + counted.outputTokens > 0) calls.set(id, counted)
      return ofCalls()
    },
    addResult(result: Json): void {
      const models = Object.values(asObject(result.model_usage_since_last_result) ?? {}).map(
        (one) => asObject(one) ?? {},
      )
      const told = models.length > 0 ? models : [asObject(result.usage) ?? {}]
      const prices = models.map((model) => asNumber(model.costUSD)).filter((price) => price !== null)
      if (prices.length > 0) usd = prices.reduce((sum, price) => sum + price, usd ?? 0)
      const usage = told.map(usageOf).reduce(plus, noUsage)
      summed = (isCumulative ? atLeast : plus)(summed ?? noUsage, usage)
    },
    /** Null when none has told anything. */
    ofCalls,
    told: (): Pick<Told, 'usage' | 'usd'> => ({ usage: summed, usd }),
  }
}

const plus = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
})
