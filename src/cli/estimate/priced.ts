import type { Policy } from '../../delivery/policy.ts'
import type { Prices } from '../../ports/prices.ts'
import type { PricedTurn } from '../../views/estimate/estimate.ts'
import type { ExpectedTurn } from '../../views/estimate/turns.ts'

/** By the price list; where it knows nothing, what is set aside for a turn stands for it. */
export async function priced(prices: Prices, { agents }: Policy, turns: ExpectedTurn[]): Promise<PricedTurn[]> {
  const at = Date.now()
  return await Promise.all(
    turns.map(async (turn) => {
      const { model, usage } = turn
      const policy = agents[turn.agent]
      if (policy?.free) return { ...turn, usd: 0, priced: true }
      const usd = model === null ? null : await prices.usd({ model, usage, at })
      return { ...turn, usd: usd ?? policy?.reserveUsd ?? 0, priced: usd !== null }
    }),
  )
}
