import { noUsage, tokensOf } from '../../delivery/money/ledger.ts'
import type { LostTurn, Spent } from '../../ports/agent-driver.ts'
import type { CliAgent, Filed } from './cli-agent.ts'
import { type Heard, openEar } from './ear.ts'
import { linesOf } from './lines.ts'
import { usageOf } from './spent.ts'

interface Dead extends LostTurn {
  usageFile: string
  /** Where its session may be. */
  homes: string[]
}

/** What a turn had spent that nobody saw the end of: from its session's own files, else from its transcript. */
export async function salvage(agent: CliAgent, dead: Dead): Promise<Spent | null> {
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
    totals: filed?.counted ?? (agent.totals === 'session' ? told : null),
  }
}

async function filedIn(agent: CliAgent, session: string | null, homes: string[]): Promise<Filed | null> {
  if (agent.filed === null || session === null) return null
  for (const home of homes) {
    const filed = await agent.filed({ home, session })
    if (filed !== null) return filed
  }
  return null
}

/** Null when there is no transcript. */
async function heardIn(agent: CliAgent, { transcript, usageFile, promptChars }: Dead): Promise<Heard | null> {
  const ear = openEar(agent.reader({ usageFile }), promptChars, async () => {})
  try {
    for await (const line of linesOf(transcript)) ear.hear(line)
  } catch {
    return null
  }
  return ear.heard()
}
