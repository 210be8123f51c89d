import { noUsage, type Usage } from '../../delivery/money/ledger.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { CliAgent, Filed, Start } from './cli-agent.ts'
import type { Heard } from './ear.ts'

/** From where the agent goes on counting. Its own files know better than we do: a turn may have been killed. */
export async function startingTotals(agent: CliAgent, { turn, home }: Start): Promise<Usage> {
  if (turn.session === null) return noUsage
  return (await agent.filed?.({ home, session: turn.session }))?.counted ?? turn.totals ?? noUsage
}

/** The spending of this turn alone. Only what the agent summed up itself, at its end, is exact. */
export function spentBy(
  agent: CliAgent,
  { turn }: Start,
  { heard, filed, totals }: { heard: Heard; filed: Filed | null; totals: Usage },
): Spent {
  const told = heard.usage ?? filed?.usage ?? null
  const alone = agent.totals === 'turn' ? heard.usage : null
  return {
    usage: alone ?? (told === null ? (heard.sofar ?? noUsage) : difference(told, totals)),
    usd: heard.usd,
    exact: told !== null && heard.ending !== null,
    model: heard.model ?? filed?.model ?? turn.model,
    totals: filed?.counted ?? (agent.totals === 'session' ? atLeast(totals, told ?? noUsage) : null),
  }
}

export const difference = (after: Usage, before: Usage): Usage => ({
  inputTokens: Math.max(0, after.inputTokens - before.inputTokens),
  outputTokens: Math.max(0, after.outputTokens - before.outputTokens),
  cachedTokens: Math.max(0, after.cachedTokens - before.cachedTokens),
})

/** A turn that failed may tell nothing of what went before. */
const atLeast = (before: Usage, after: Usage): Usage => ({
  inputTokens: Math.max(before.inputTokens, after.inputTokens),
  outputTokens: Math.max(before.outputTokens, after.outputTokens),
  cachedTokens: Math.max(before.cachedTokens, after.cachedTokens),
})
