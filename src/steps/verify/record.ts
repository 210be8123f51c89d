import type { CommitId } from '../../delivery/ids.ts'
import type { Policy } from '../../delivery/policy.ts'
import type { Recorded } from '../../ports/event-log.ts'
import { recordProblems } from '../../proof/statement/problems.ts'
import type { Statement } from '../../proof/statement/statement.ts'
import type { Again, VerifyWorld } from './world.ts'

/**
 * What the log of this machine has of a delivery; null: nothing. `broken`: where its hash chain is. `heard`: how many of
 * the entries only came in a file, before it was adopted here.
 */
export type DeliveryRecord = { broken: string } | { entries: Recorded[]; heard: number } | null

export async function keptOf({ log }: Pick<VerifyWorld, 'log'>, delivery: string): Promise<DeliveryRecord> {
  const rows = log === null ? [] : await log.deliveries(null)
  if (log === null || !rows.some((row) => row.delivery === delivery)) return null
  const chain = await log.verify(delivery)
  if (chain.status !== 'intact')
    return { broken: `the log of ${delivery} is broken at version ${chain.version}: ${chain.problem}` }
  const entries = await log.read(delivery, 0)
  const last = (type: string): number => entries.findLastIndex(({ event }) => event.type === type)
  const adopted = last('DeliveryAdopted')
  return last('DeliveryImported') > adopted ? null : { entries, heard: Math.max(adopted, 0) }
}

/** What was recorded here, to vouch for a commit. Of one that was merged elsewhere, a file says all that is known. */
export function seenHere(kept: DeliveryRecord, commit: CommitId): DeliveryRecord {
  if (kept === null || 'broken' in kept) return kept
  const { entries, heard } = kept
  const elsewhere = entries.slice(0, heard).some(({ event }) => event.type === 'LineAdvanced' && event.to === commit)
  return elsewhere ? null : { entries: entries.slice(heard), heard: 0 }
}

/** The settings that the delivery went by last, as this machine's own log has them; null: nobody here knows. */
export const pinnedIn = (kept: DeliveryRecord): Policy | null =>
  kept === null || 'broken' in kept
    ? null
    : kept.entries.reduce<Policy | null>(
        (last, { event }) => (event.type === 'PolicyPinned' ? event.policy : last),
        null,
      )

/** The statement against the log of its delivery, and the outputs that are kept. */
export async function againstLog(
  { blobs }: Pick<VerifyWorld, 'blobs'>,
  statement: Statement,
  kept: DeliveryRecord,
): Promise<Again & { log: 'agrees' | 'absent' }> {
  if (kept === null) return { problems: [], remarks: [], log: 'absent' }
  const record = 'broken' in kept ? [kept.broken] : recordProblems(statement, kept.entries)
  const outputs = await outputWords({ blobs }, statement)
  return { problems: [...record, ...outputs.problems], remarks: outputs.remarks, log: 'agrees' }
}

async function outputWords({ blobs }: Pick<VerifyWorld, 'blobs'>, { predicate }: Statement): Promise<Again> {
  const told: Again = { problems: [], remarks: [] }
  for (const { name, annotations } of predicate.configuration) {
    const [output] = await Promise.allSettled([blobs.get(annotations.outputDigest)])
    if (output.status === 'rejected') told.problems.push(`what ${name} printed: ${(output.reason as Error).message}`)
    else if (output.value === null) told.remarks.push(`what ${name} printed is not kept any more`)
  }
  return told
}
