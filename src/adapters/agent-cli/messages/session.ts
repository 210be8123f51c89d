import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage } from '../../../delivery/money/ledger.ts'
import type { Filed } from '../cli-agent.ts'
import { asText, at, objectOn } from '../json.ts'
import { linesOf } from '../lines.ts'
import { openTally } from './tally.ts'

/**
 * What a session has used, from the files in which claude keeps it, with those of agents within it. Its stream tells what
 * a call has answered only at the end of the turn; here it is as soon as the call is over.
 */
export async function sessionOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const projects = join(home, 'projects')
  const names = await readdir(projects, { recursive: true }).catch(() => [])
  const files = names.filter(
    (name) => name.endsWith('.jsonl') && name.split('/').some((part) => part.startsWith(session)),
  )
  if (files.length === 0) return null
  const tally = openTally({ cacheIsApart: true, isCumulative: false })
  let model: string | null = null
  for (const file of files)
    for await (const line of linesOf(join(projects, file))) {
      const message = at(objectOn(line), 'message')
      if (tally.addCall(message) !== null) model = asText(at(message, 'model')) ?? model
    }
  const usage = tally.ofCalls() ?? noUsage
  return { usage, counted: usage, model, trouble: null }
}
