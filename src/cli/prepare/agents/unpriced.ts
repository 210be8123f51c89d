import type { Policy } from '../../../delivery/policy.ts'
import type { Prices } from '../../../ports/prices.ts'

/** Those that do not say themselves what a turn has cost. */
const untold = ['codex', 'gemini', 'qwen', 'copilot', 'builtin']

/** Models without a price: their money cannot be counted, and perhaps their names are wrong. */
export async function unpricedWarnings(policy: Policy, prices: () => Promise<Prices>): Promise<string[]> {
  const warnings: string[] = []
  for (const name of new Set(Object.values(policy.roles).flat())) {
    const { driver = '', models = {}, cheaper = null, reserveUsd = 0, free } = policy.agents[name] ?? {}
    if (!untold.includes(driver) || free) continue
    for (const model of new Set([...Object.values(models), ...(cheaper === null ? [] : [cheaper])]))
      if ((await listed(await prices(), model)) === null)
        warnings.push(
          `agents.${name}: no price is known for the model ${model} (is it spelled right?); each turn counts as the ${reserveUsd} USD of reserveUsd`,
        )
  }
  return warnings
}

const listed = (prices: Prices, model: string): Promise<number | null> =>
  prices.usd({ model, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }, at: Date.now() })
