import { countsOnlyDollars, howToCount, isUnsaid, unknownPrice } from '../../delivery/money/ledger.ts'
import { type Policy, tellsPrice } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Prices } from '../../ports/prices.ts'
import { agentsAtWork } from './staff.ts'

interface Unpriced {
  agent: string
  model: string
  /** As in the settings: a tier, or `cheaper`. */
  tier: string
}

/** Models without a price: their money cannot be counted, and perhaps their names are wrong. */
export async function unpricedWarnings(policy: Policy, prices: () => Promise<Prices>): Promise<string[]> {
  return (await unpricedIn(policy, prices)).map(({ agent, model, tier }) => {
    const { reserveUsd } = policy.agents[agent]!
    const counts =
      reserveUsd === 0
        ? 'what its turns cost will be unknown (set reserveUsd: what a turn counts as)'
        : `each turn counts as the ${reserveUsd} USD of reserveUsd`
    return `agents.${agent}: no price is known for the model ${model} (${tier}; is it spelled right?); ${counts}`
  })
}

/** A ceiling that would do nothing is refused. */
export async function refuseUnpriced(policy: Policy, prices: () => Promise<Prices>): Promise<void> {
  if (!countsOnlyDollars(policy.ceilings)) return
  const found = (await unpricedIn(policy, prices)).filter(({ agent }) => isUnsaid(policy.agents[agent]))
  if (found.length === 0) return
  const remedies = [...new Set(found.map(({ agent }) => agent))].map(howToCount)
  throw new TerminalError(found.map(unknownPrice).join('\n'), `${remedies.join('\n')}; or is the name wrong?`)
}

async function unpricedIn(policy: Policy, prices: () => Promise<Prices>): Promise<Unpriced[]> {
  const found: Unpriced[] = []
  for (const agent of agentsAtWork(policy)) {
    const known = policy.agents[agent]
    if (known === undefined || tellsPrice(known) || known.free) continue
    const named = Object.entries({ ...known.models, ...(known.cheaper === null ? {} : { cheaper: known.cheaper }) })
    for (const model of new Set(named.map(([, name]) => name)))
      if (!(await isListed(await prices(), model)))
        found.push({ agent, model, tier: named.flatMap(([tier, name]) => (name === model ? [tier] : [])).join(', ') })
  }
  return found
}

const isListed = async (prices: Prices, model: string): Promise<boolean> =>
  (await prices.usd({ model, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }, at: Date.now() })) !== null
