import { resolve } from 'node:path'
import { load } from '../../engine/load.ts'
import type { Recorded } from '../../ports/event-log.ts'
import { schemaNumber } from '../../ports/log/lift.ts'
import { chooseDelivery } from '../choose-delivery.ts'
import type { Visit } from '../world.ts'

export interface Exported {
  events: Recorded[]
  end: { delivery: string; events: number; head: string; schema: number }
}

/** A whole delivery; with a file for a bundle, its commits are written there. */
export async function exportDelivery(
  visit: Visit,
  name: string | undefined,
  bundle: string | undefined,
): Promise<Exported> {
  const { world, folder } = visit
  const log = await world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  if (bundle !== undefined) {
    const { repository, base } = (await load(log, delivery)).request!
    const clone = await (await world.repositories(world.home)).open(repository)
    await clone.writeBundle({ delivery, base, file: resolve(folder, bundle) })
  }
  const events = await log.written(delivery)
  return { events, end: { delivery, events: events.length, head: events.at(-1)!.hash, schema: schemaNumber } }
}
