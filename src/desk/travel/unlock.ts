import { existsSync } from 'node:fs'
import { TerminalError } from '../../ports/errors.ts'
import { chooseDelivery } from '../choose-delivery.ts'
import type { DeskWorld, Salvaged, Visit } from '../world.ts'

/** Takes a delivery from a driver that is gone. `force`: although its lease has not lapsed. `broken` null: nobody held it. */
export async function unlock(
  visit: Visit,
  name: string | undefined,
  { force, timeText }: { force: boolean; timeText: (at: number) => string },
) {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  const lease = await log.leaseOf(delivery)
  // Not by our clock: that may be ahead of the holder's. Whoever is known to be gone holds none.
  if (lease !== null && !force)
    throw new TerminalError(
      `process ${lease.pid} on ${lease.host} drives ${delivery}; its lease runs until ${timeText(lease.expiresAt)}`,
      `end that process first, or let \`ropewalk resume\` find out whether it is gone; if you know that it is, run \`ropewalk unlock --force --delivery ${delivery}\``,
    )
  await log.breakLease(delivery)
  return { delivery, broken: lease }
}

/** Work of a delivery that the log knows nothing of any more: it is kept where it is. */
export interface LeftWork {
  delivery: string
  commits: { clone: string; refs: string[] }[]
  folders: string[]
}

/** Makes a damaged log usable again, and tells what there is that it does not know any more. */
export async function salvageLog({ world }: Visit): Promise<Salvaged & { left: LeftWork[] }> {
  return { ...(await world.salvage()), left: await leftOf(world) }
}

async function leftOf(world: DeskWorld): Promise<LeftWork[]> {
  const known = new Set((await (await world.log()).deliveries(null)).map(({ delivery }) => delivery))
  const kept = await world.keptRefs()
  const ids = [...new Set([...kept.map(({ delivery }) => delivery), ...world.housed()])].filter((id) => !known.has(id))
  return ids.sort().map((delivery) => ({
    delivery,
    commits: kept.filter((one) => one.delivery === delivery).map(({ clone, refs }) => ({ clone, refs })),
    folders: Object.values(world.folders(delivery)).filter((folder) => existsSync(folder)),
  }))
}
