import { chooseDelivery } from '../choose-delivery.ts'
import type { Cli } from '../world.ts'

/** A whole delivery as JSON lines, one for each event, which `import` takes back. */
export async function exportDelivery({ world, screen, cwd }: Cli, name: string | undefined): Promise<number> {
  const log = await world.log()
  const { delivery } = await chooseDelivery({ world, screen, cwd }, log, name)
  for (const recorded of await log.read(delivery, 0)) screen.emit(recorded)
  return 0
}
