import { load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import { withoutLedgers } from '../choose-delivery.ts'
import type { Cli } from '../world.ts'

/** The same requirement, from the same source, while it is being delivered already: whoever wants it twice says so. */
export async function refuseDuplicate(
  cli: Cli,
  repository: string,
  requirement: { text: string; source: string },
): Promise<void> {
  const log = await cli.world.log()
  const open = withoutLedgers(await log.deliveries(repository)).filter(({ result }) => result === null)
  for (const { delivery } of open) {
    const state = await load(log, delivery)
    const same = state.request?.requirement
    if (same?.text.trim() !== requirement.text.trim() || same.source !== requirement.source) continue
    throw new TerminalError(
      `this is being delivered already: ${delivery}`,
      `look at it with \`ropewalk status ${delivery}\`, go on with \`ropewalk resume ${delivery}\`, or say --again to deliver it twice`,
    )
  }
}
