import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage, tokensOf, type Usage } from '../../../../delivery/money/ledger.ts'
import { copilotUsage } from '../../cli/products/copilot.ts'
import { asNumber, asWords, at, lastFileLines, objectOn } from '../../json.ts'
import { placeInHome } from '../../turn.ts'
import { sumOf } from '../../usage.ts'
import type { AskedOfFiles, FiledTurn } from '../filed.ts'

/** From the file of the session, which has a record of each call, and the log of its process, which has each failure. */
export async function copilotFiled({ env, session, since }: AskedOfFiles): Promise<FiledTurn | null> {
  const home = env.COPILOT_HOME || placeInHome('.copilot', env)
  const kept = await keptIn(join(home, 'session-state', session, 'events.jsonl'))
  if (kept.length === 0) return null
  const failures = await failuresOf(join(home, 'logs'), { session, since })
  const calls = kept.filter((event) => event.usage !== null)
  const mine = calls.filter((call) => call.at >= since)
  const askedAt = kept.findLast((event) => event.usage === null)?.at ?? 0
  const [ended, failed] = [mine.at(-1)?.at ?? 0, failures.at(-1)?.at ?? 0]
  const isWaiting = askedAt >= since && askedAt > Math.max(ended, failed)
  return {
    usage: mine.map(({ usage }) => usage ?? noUsage).reduce(sumOf, noUsage),
    // Refused with a status they have cost nothing.
    broken: failures.filter(({ status }) => status === null).length + (isWaiting ? 1 : 0),
    hidden: 0,
    context: Math.max(0, ...calls.map(({ usage }) => tokensOf(usage ?? noUsage))),
    whole: true,
    trouble: failed > ended ? (failures.at(-1) ?? null) : null,
  }
}

/** That its model is asked, or, with what that has used, that a call has come to its end. */
interface Event {
  at: number
  usage: Usage | null
}

async function keptIn(file: string): Promise<Event[]> {
  const events: Event[] = []
  for await (const line of lastFileLines(file)) {
    if (!/^\{"type":"(?:session\.usage_record|assistant\.turn_start)"/.test(line)) continue
    const event = objectOn(line)
    const used = at(event, 'data', 'usage')
    events.push({
      at: Date.parse(asWords(event?.timestamp) ?? ''),
      usage: used === undefined ? null : copilotUsage(used),
    })
  }
  return events
}

interface Failure {
  at: number
  status: number | null
  message: string
}

/** Calls that it makes again, for a minute, and tells nobody. */
async function failuresOf(folder: string, { session, since }: Omit<AskedOfFiles, 'env'>): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name)
    const changed = await stat(file).catch(() => null)
    if (!name.startsWith('process-') || changed === null || changed.mtimeMs < since) continue
    const found: Failure[] = []
    let isMine = false
    for await (const line of lastFileLines(file)) {
      isMine ||= line.includes(session)
      found.push(...failureOn(line).filter((failure) => failure.at >= since))
    }
    if (isMine) failures.push(...found)
  }
  return failures
}

function failureOn(line: string): Failure[] {
  const [, time, told = ''] = /^(\S+) \[WARNING\] .*Model provider request failed (\{.*\})$/.exec(line) ?? []
  if (time === undefined) return []
  const failure = objectOn(told)
  const status = asNumber(failure?.http_status)
  const isLost = failure?.failure_kind === 'transport'
  const how = isLost ? 'the connection to the model broke off' : 'a call of the model failed'
  return [{ at: Date.parse(time), status, message: `${how}${status === null ? '' : ` (status ${status})`}` }]
}
