import type { Policy } from '../../delivery/policy.ts'
import { drive } from '../../engine/drive.ts'
import { submit } from '../../engine/submit.ts'
import { TerminalError } from '../../ports/errors.ts'
import { policyHash } from '../../settings/policy.ts'
import { isLedger } from '../choose-delivery.ts'
import type { Cli } from '../world.ts'

export interface Subject {
  delivery: string
  text: string
  repository: { id: string; path: string }
  base: string
  policy: Policy
}

/** A delivery that has ended before it began: only there to hold what was spent on something that is none. */
export async function openLedger({ world }: Cli, { delivery, text, ...about }: Subject): Promise<void> {
  const { policy } = about
  const requirement = { text, source: 'command line', submitter: world.user }
  const asked = await submit(await world.intake(), {
    delivery,
    intent: {
      ...{ type: 'RequestDelivery', requirement, ...about, target: policy.target },
      ...{ policyHash: policyHash(policy), plan: null, review: null },
    },
    actor: world.user,
  })
  if ('refused' in asked) throw new TerminalError(asked.refused, asked.remedy)
  await endLedger({ world }, delivery, 'it only holds what was spent')
}

const settlingMs = 60_000

/**
 * An estimate that was killed: nobody would ever resume it, as no list has it, so that what it left running would go on.
 * One that was requested just now may not be driven yet.
 */
export async function endAbandonedLedgers({ world }: Pick<Cli, 'world'>): Promise<void> {
  const log = await world.log()
  const open = (await log.deliveries(null)).filter((row) => row.result === null && isLedger(row))
  for (const { delivery, requestedAt, updatedAt } of open) {
    const lease = await log.leaseOf(delivery)
    const isDriven = lease !== null && lease.expiresAt > Date.now()
    if (isDriven || (updatedAt === requestedAt && Date.now() - requestedAt < settlingMs)) continue
    await endLedger({ world }, delivery, 'its process was killed')
  }
}

/** Nothing waits for an answer any more. */
export async function endLedger({ world }: Pick<Cli, 'world'>, delivery: string, reason: string): Promise<void> {
  const intent = { type: 'StopDelivery', reason, by: world.user } as const
  await submit(await world.intake(), { delivery, intent, actor: world.user })
  const engine = await world.engine(() => {})
  await drive(engine, { delivery, signal: new AbortController().signal, stay: false })
}
