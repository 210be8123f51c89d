import { statSync } from 'node:fs'
import { noUsage } from '../../../delivery/money/ledger.ts'
import type { LostTurn, Spent } from '../../../ports/agent-driver.ts'
import { asObject, fileLines, type Json, objectOn } from '../json.ts'
import type { Variables } from '../turn.ts'
import { atLeast, isUsed, sumOf } from '../usage.ts'
import type { AskedOfFiles, FiledTurn } from './filed.ts'
import { filers } from './known-agents.ts'
import { reckonedBy } from './spent.ts'
import { askedFor, openUpdates } from './updates.ts'
import { usageOfAnswer } from './usage.ts'

/** What a turn has used that nobody could see to its end: by the agent's own files, else as far as it had told. */
export async function salvageTalk(lost: LostTurn, env: Variables): Promise<Spent | null> {
  const { transcript, promptChars, session } = lost
  const updates = openUpdates(promptChars, () => {})
  let answered: ReturnType<typeof usageOfAnswer> = null
  try {
    for await (const line of fileLines(transcript)) {
      const message = objectOn(line)
      const result = asObject(message?.result)
      updates.hear(updateIn(message) ?? {})
      if (result !== null && 'stopReason' in result) answered = usageOfAnswer(result)
      // What was told before an answer to anything else was the session's past.
      else if (result !== null) updates.begin()
    }
  } catch {
    return null
  }
  const said = updates.told()
  const filed = session === null ? null : await filedIn({ env, session, since: statSync(transcript).birthtimeMs })
  const told = said.usage ?? noUsage
  const known = filed === null ? sumOf(told, said.untold) : reckonedBy(filed, { said, told, isCut: true, promptChars })
  // What is answered may be about the last call alone.
  const usage = atLeast(answered ?? noUsage, known)
  return isUsed(usage) ? { usage, usd: null, exact: false, model: null, totals: null } : null
}

/** As the turn itself heard it. */
function updateIn(message: Json | null): Json | null {
  const params = asObject(message?.params) ?? {}
  if (message?.method === 'session/request_permission') return askedFor(params)
  return message?.method === 'session/update' ? asObject(params.update) : null
}

async function filedIn(asked: AskedOfFiles): Promise<FiledTurn | null> {
  for (const read of filers) {
    const filed = await read(asked)
    if (filed !== null) return filed
  }
  return null
}
