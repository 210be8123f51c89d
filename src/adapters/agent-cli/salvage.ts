import { noUsage, type Usage } from '../../delivery/money/ledger.ts'
import type { Spent } from '../../ports/agent-driver.ts'
import type { CliAgent, Filed, Told } from './cli-agent.ts'
import { objectOn } from './json.ts'
import { linesOf } from './lines.ts'
import { difference } from './spent.ts'

interface Dead {
  transcript: string
  totals: Usage | null
  usageFile: string
  /** Where its session may be. */
  homes: string[]
}

/** What a turn had spent that nobody saw the end of: from its session's own files, else from its transcript. */
export async function salvage(agent: CliAgent, dead: Dead): Promise<Spent | null> {
  const told = await toldBy(agent, dead)
  if (told === null) return null
  const filed = await filedIn(agent, told.session, dead.homes)
  const usage = filed?.usage ?? told.usage
  if (usage === null) return null
  return {
    usage: agent.totals === 'session' ? difference(usage, dead.totals ?? noUsage) : usage,
    usd: told.usd,
    exact: false,
    model: told.model ?? filed?.model ?? null,
    totals: agent.totals === 'session' ? (filed?.counted ?? usage) : null,
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
async function toldBy(agent: CliAgent, { transcript, usageFile }: Dead): Promise<Told | null> {
  const reader = agent.reader({ usageFile })
  try {
    for await (const line of linesOf(transcript)) {
      const json = objectOn(line)
      if (json !== null) reader.read(json)
    }
  } catch {
    return null
  }
  return reader.told()
}
