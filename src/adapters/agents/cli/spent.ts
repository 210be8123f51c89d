import { noUsage, tokensOf, type Usage } from '../../../delivery/money/ledger.ts'
import type { AgentErrorKind, LostTurn, Spent } from '../../../ports/agent-driver.ts'
import type { Exit } from '../../../ports/shell.ts'
import { fileLines } from '../json.ts'
import { atLeast, difference, sumOf } from '../usage.ts'
import { type CliAgent, type CliStart, type FiledSession, kindIn } from './cli-agent.ts'
import { type HeardRun, openEar } from './ear.ts'

/** From where the agent goes on counting. Its own files know better than we do: a turn may have been killed. */
export async function startingTotals(agent: CliAgent, { turn, home }: CliStart): Promise<Usage> {
  if (turn.session === null) return noUsage
  return countedIn((await agent.filed?.({ home, session: turn.session })) ?? null) ?? turn.totals ?? noUsage
}

const countedIn = (filed: FiledSession | null): Usage | null => filed?.counted ?? filed?.usage ?? null

/** The spending of this turn alone. Only what the agent summed up itself, at its end, is exact. */
export function spentInRun(
  agent: CliAgent,
  { turn }: CliStart,
  { heard, filed, totals, exit }: { heard: HeardRun; filed: FiledSession | null; totals: Usage; exit: Exit },
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
    totals: countedIn(filed) ?? (agent.totals === 'session' ? atLeast(totals, told ?? noUsage) : null),
  }
}

/** What is known, and on top of it what can only be reckoned; `isWhole`: nothing had to be. */
function usageOf(
  agent: CliAgent,
  { heard, filed, totals, isCut }: { heard: HeardRun; filed: FiledSession | null; totals: Usage; isCut: boolean },
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
const isCut = ({ ending, worked, heardAny }: HeardRun, { reason }: Exit): boolean =>
  ending === null && heardAny && reason !== 'not-found' && (worked || reason !== 'exited')

const brokenKinds: (AgentErrorKind | null)[] = ['network', 'overloaded', 'unknown']

/** Its last call was not refused with a status: it had begun to be answered, and what that used is in nothing it tells. */
const brokeOff = (agent: CliAgent, { ending }: HeardRun): boolean =>
  agent.losesBroken === true &&
  ending?.ok === false &&
  ending.error.status === null &&
  brokenKinds.includes(kindIn(agent, ending))

interface Dead extends LostTurn {
  usageFile: string
  /** Where its session may be. */
  homes: string[]
}

/** What a turn had spent that nobody saw the end of: from its session's own files, else from its transcript. */
export async function salvageRun(agent: CliAgent, dead: Dead): Promise<Spent | null> {
  const heard = await heardIn(agent, dead)
  if (heard === null) return null
  const filed = await filedIn(agent, heard.session ?? dead.session ?? null, dead.homes)
  const told = filed?.usage ?? heard.usage
  const isCut = heard.ending === null && heard.heardAny
  const { usage } = usageOf(agent, { heard, filed, totals: dead.totals ?? noUsage, isCut })
  if (tokensOf(usage) === 0) return null
  return {
    usage,
    usd: heard.usd,
    exact: false,
    model: heard.model ?? filed?.model ?? null,
    totals: countedIn(filed) ?? (agent.totals === 'session' ? told : null),
  }
}

async function filedIn(agent: CliAgent, session: string | null, homes: string[]): Promise<FiledSession | null> {
  if (agent.filed === null || session === null) return null
  for (const home of homes) {
    const filed = await agent.filed({ home, session })
    if (filed !== null) return filed
  }
  return null
}

/** Null when there is no transcript. */
async function heardIn(agent: CliAgent, { transcript, usageFile, promptChars }: Dead): Promise<HeardRun | null> {
  const ear = openEar(agent.reader({ usageFile }), promptChars, async () => {})
  try {
    for await (const line of fileLines(transcript)) ear.hear(line)
  } catch {
    return null
  }
  return ear.heard()
}
