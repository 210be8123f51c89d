import { noUsage, tokensOf, type Usage } from '../../delivery/money/ledger.ts'
import type { AgentErrorKind, Spent } from '../../ports/agent-driver.ts'
import type { Exit } from '../../ports/shell.ts'
import { atLeast, sumOf } from '../../proof/agents/estimate.ts'
import { type CliAgent, type Filed, kindIn, type Start } from './cli-agent.ts'
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
  { heard, filed, totals, exit }: { heard: Heard; filed: Filed | null; totals: Usage; exit: Exit },
): Spent {
  const told = heard.usage ?? filed?.usage ?? null
  const { usage, isWhole } = usageOf(agent, {
    heard,
    filed,
    totals,
    isCut: isCut(heard, exit) || brokeOff(agent, heard),
  })
  return {
    usage,
    usd: heard.usd,
    exact: isWhole && told !== null && heard.ending !== null,
    model: heard.model ?? filed?.model ?? turn.model,
    totals: filed?.counted ?? (agent.totals === 'session' ? atLeast(totals, told ?? noUsage) : null),
  }
}

/** What is known, and on top of it what can only be reckoned; `isWhole`: nothing had to be. */
export function usageOf(
  agent: CliAgent,
  { heard, filed, totals, isCut }: { heard: Heard; filed: Filed | null; totals: Usage; isCut: boolean },
): { usage: Usage; isWhole: boolean } {
  const summed = heard.ending === null && filed !== null ? filed.usage : (heard.usage ?? filed?.usage ?? null)
  const alone = agent.totals === 'turn' && summed === heard.usage ? heard.usage : null
  const told = alone ?? (summed === null ? noUsage : difference(summed, totals))
  const known = heard.ending === null ? atLeast(told, heard.sofar ?? noUsage) : told
  const toldNothing = heard.worked && summed === null && heard.sofar === null
  const reckoned = isCut || toldNothing ? heard.untold : heard.broken
  return { usage: sumOf(known, reckoned), isWhole: heard.inexact !== true && tokensOf(reckoned) === 0 }
}

/** It had begun, and did not come to its last word. Who leaves by itself before its model said anything has asked none. */
const isCut = ({ ending, worked, heardAny }: Heard, { reason }: Exit): boolean =>
  ending === null && heardAny && reason !== 'not-found' && (worked || reason !== 'exited')

const brokenKinds: (AgentErrorKind | null)[] = ['network', 'overloaded', 'unknown']

/** Its last call was not refused with a status: it had begun to be answered, and what that used is in nothing it tells. */
const brokeOff = (agent: CliAgent, { ending }: Heard): boolean =>
  agent.losesBroken === true &&
  ending?.ok === false &&
  ending.error.status === null &&
  brokenKinds.includes(kindIn(agent, ending))

const difference = (after: Usage, before: Usage): Usage => ({
  inputTokens: Math.max(0, after.inputTokens - before.inputTokens),
  outputTokens: Math.max(0, after.outputTokens - before.outputTokens),
  cachedTokens: Math.max(0, after.cachedTokens - before.cachedTokens),
})
