import { hostname } from 'node:os'
import { obtainLease } from '../../engine/lease.ts'
import { load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import { withoutLedgers } from '../choose-delivery.ts'
import type { Cli } from '../world.ts'

interface Wanted {
  repository: string
  text: string
  /** Whoever wants it twice says so. */
  again: boolean
}

/**
 * Requests a delivery unless the same is being delivered already. What is typed, in a file or on standard input has no
 * id of its own: its text is what it is known by, wherever it came from.
 */
export async function requestOnce(
  cli: Cli,
  { repository, text, again }: Wanted,
  request: () => Promise<string>,
): Promise<string> {
  if (again) return await request()
  return await oneAtATime(cli, repository, async () => {
    await refuseDuplicate(cli, repository, text)
    return await request()
  })
}

const mostMs = 30_000
const lookAgainMs = 50

/** Two that begin at the same instant must not both look before one of them is on record. */
async function oneAtATime<T>(cli: Cli, repository: string, work: () => Promise<T>): Promise<T> {
  const { log, clock } = await cli.world.intake()
  const { pid } = process
  const asked = { delivery: `intake.${repository}`, worker: `intake-${pid}`, host: hostname(), pid, ttlMs: mostMs }
  for (;;) {
    const lease = await obtainLease({ log, clock }, asked)
    if (lease !== null) return await work().finally(() => log.releaseLease(lease))
    await clock.until(clock.now() + lookAgainMs, new AbortController().signal)
  }
}

async function refuseDuplicate({ world }: Cli, repository: string, text: string): Promise<void> {
  const log = await world.log()
  const open = withoutLedgers(await log.deliveries(repository)).filter(({ result }) => result === null)
  for (const { delivery } of open) {
    const { request } = await load(log, delivery)
    if (request == null || request.review !== null || request.requirement.text.trim() !== text.trim()) continue
    throw new TerminalError(
      `this is being delivered already: ${delivery}`,
      `look at it with \`ropewalk status ${delivery}\`, go on with \`ropewalk resume ${delivery}\`, or deliver it twice with \`ropewalk run --again\``,
    )
  }
}
