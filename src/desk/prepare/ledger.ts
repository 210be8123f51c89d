import type { Policy } from '../../delivery/policy.ts'
import { drive } from '../../engine/drive.ts'
import { submit } from '../../engine/submit.ts'
import { isLedger } from '../choose-delivery.ts'
import type { Visit } from '../world.ts'
import { putRequest } from './request.ts'

export interface LedgerSubject {
  delivery: string
  text: string
  repository: { id: string; path: string }
  base: string
  policy: Policy
}

/** A delivery that has ended before it began: only there to hold what was spent on something that is none. */
export async function openLedger(visit: Visit, { text, ...about }: LedgerSubject): Promise<void> {
  await putRequest(visit, { ...about, wanted: { text, source: 'command line' }, plan: null, review: null })
  await endLedger(visit, about.delivery, 'it only holds what was spent')
}

const settlingMs = 60_000

/**
 * An estimate that was killed: nobody would ever resume it, as no list has it, so that what it left running would go on.
 * One that was requested just now may not be driven yet.
 */
export async function endAbandonedLedgers(visit: Pick<Visit, 'world' | 'user'>): Promise<void> {
  const log = await visit.world.log()
  const open = (await log.deliveries(null)).filter((row) => row.result === null && isLedger(row))
  for (const { delivery, requestedAt, updatedAt } of open) {
    const lease = await log.leaseOf(delivery)
    const isDriven = lease !== null && lease.expiresAt > Date.now()
    if (isDriven || (updatedAt === requestedAt && Date.now() - requestedAt < settlingMs)) continue
    await endLedger(visit, delivery, 'its process was killed')
  }
}

/** Nothing waits for an answer any more. */
export async function endLedger(
  { world, user }: Pick<Visit, 'world' | 'user'>,
  delivery: string,
  reason: string,
): Promise<void> {
  const intent = { type: 'StopDelivery', reason, by: user } as const
  await submit(await world.intake(), { delivery, intent, actor: user })
  const engine = await world.engine(() => {})
  await drive(engine, { delivery, signal: new AbortController().signal, stay: false })
}
