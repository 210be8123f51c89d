import type { PriceCalculationResult } from '@pydantic/genai-prices'
import type { Usage } from '../../delivery/money/ledger.ts'
import type { Prices } from '../../ports/prices.ts'
import { once } from '../../std/once.ts'

/** The price list that is bundled with us: nothing is fetched. It is large, so it is read when first asked. */
export function listedPrices(): Prices {
  const list = once(() => import('@pydantic/genai-prices'))
  return {
    async usd({ model, usage, at }) {
      const { calcPrice } = await list()
      const { calls, each } = shortCalls(usage)
      const timestamp = new Date(at)
      for (const { name, provider } of readings(model)) {
        const options = provider === null ? { timestamp } : { timestamp, providerId: provider }
        const price = ifListed(() => calcPrice(each, name, options))
        if (price !== null) return price * calls
      }
      return null
    },
  }
}

const shortCallTokens = 10_000

/**
 * Long calls have a dearer rate with some vendors, and a turn is many calls: its sum says nothing about their length.
 * So it is priced as many short ones.
 */
function shortCalls(usage: Usage): { calls: number; each: Record<string, number> } {
  const calls = Math.max(1, usage.inputTokens / shortCallTokens)
  const cached = Math.min(usage.cachedTokens, usage.inputTokens)
  const each = {
    input_tokens: usage.inputTokens / calls,
    output_tokens: usage.outputTokens / calls,
    cache_read_tokens: cached / calls,
  }
  return { calls, each }
}

/** What a model's name may mean: agents say it alone, or after the one who serves it. */
function readings(model: string): { name: string; provider: string | null }[] {
  const alone = { name: model.replace(/^models\//, ''), provider: null }
  const slash = model.indexOf('/')
  return slash === -1 ? [alone] : [{ name: model.slice(slash + 1), provider: model.slice(0, slash) }, alone]
}

/** The library throws for usage that cannot be, and for holes in its list: both mean that there is no price. */
function ifListed(price: () => PriceCalculationResult): number | null {
  try {
    return price()?.total_price ?? null
  } catch {
    return null
  }
}
