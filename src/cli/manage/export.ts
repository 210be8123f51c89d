import { resolve } from 'node:path'
import { load } from '../../engine/load.ts'
import { schemaNumber } from '../../ports/log/lift.ts'
import { chooseDelivery } from '../choose-delivery.ts'
import type { Cli } from '../world.ts'

export interface ExportOptions {
  bundle?: string
}

/** A whole delivery as JSON lines, one for each event and one that says how many; `import` takes them back. */
export async function exportDelivery(cli: Cli, name: string | undefined, { bundle }: ExportOptions): Promise<number> {
  const { world, screen, cwd } = cli
  const log = await world.log()
  const { delivery } = await chooseDelivery(cli, log, name)
  if (bundle !== undefined) {
    const { repository, base } = (await load(log, delivery)).request!
    const clone = await (await world.repositories(world.home)).open(repository)
    await clone.writeBundle({ delivery, base, file: resolve(cwd, bundle) })
  }
  const events = await log.written(delivery)
  for (const recorded of events) screen.emit(recorded)
  screen.emit({ end: { delivery, events: events.length, head: events.at(-1)!.hash, schema: schemaNumber } })
  return 0
}
