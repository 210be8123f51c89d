import type { AgentPolicy, Ceilings, Policy } from '../policy.ts'
import type { MoneyState } from './money.ts'

/**
 * A ceiling in dollars is nothing to turns whose price nobody knows, unless something says how to count them: what is set
 * aside for each, that they are free, or a ceiling in tokens. Why no more may be taken after such a turn, or null.
 */
export function uncountable(
  { agents, ceilings }: Pick<Policy, 'agents' | 'ceilings'>,
  money: MoneyState,
): string | null {
  if (!countsOnlyDollars(ceilings)) return null
  const entries = Object.values(money.entries).filter(({ uncounted, unpriced }) => uncounted > 0 && unpriced > 0)
  const found = entries.find(({ agent }) => isUnsaid(agents[agent]))
  return found === undefined ? null : `${unknownPrice(found)}. ${howToCount(found.agent)}`
}

/** Whether nobody has said how a turn of this agent counts when its price is not known. */
export const isUnsaid = (agent: AgentPolicy | undefined): boolean =>
  agent !== undefined && agent.reserveUsd === 0 && agent.free !== true

export const countsOnlyDollars = (ceilings: Ceilings): boolean =>
  [ceilings.usdPerDelivery, ceilings.usdPerStory, ceilings.usdPerDay].some((one) => one !== null) &&
  [ceilings.tokensPerDelivery, ceilings.tokensPerStory, ceilings.tokensPerDay].every((one) => one === null)

export const unknownPrice = ({
  agent,
  model,
  tier = '',
}: {
  agent: string
  model: string | null
  tier?: string
}): string =>
  `the ceiling in USD cannot be kept: no price is known for ${model ?? 'the model'} of ${agent}${tier === '' ? '' : ` (${tier})`}`

export const howToCount = (agent: string): string =>
  `Write into ropewalk.yaml what a turn of it counts as, \`agents: { ${agent}: { reserveUsd: 0.50 } }\` (0: it is free), or a ceiling in tokens, \`ceilings: { tokensPerDelivery: 5000000 }\``
