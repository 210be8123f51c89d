import { TerminalError } from '../../ports/errors.ts'
import { chooseDelivery, type DeliveryOption } from '../choose-delivery.ts'
import { dim } from '../show/line.ts'
import { table } from '../show/table.ts'
import { dateText } from '../show/time.ts'
import type { Cli } from '../world.ts'

export interface UnlockOptions extends DeliveryOption {
  force?: boolean
  salvage?: boolean
}

/** Takes a delivery from a driver that is gone; or makes a damaged log usable again. */
export async function unlock(cli: Cli, options: UnlockOptions): Promise<number> {
  if (options.salvage === true) return await salvage(cli)
  const { screen, world } = cli
  const log = await world.log()
  const { delivery } = await chooseDelivery(cli, log, options.delivery)
  const lease = await log.leaseOf(delivery)
  if (lease !== null && lease.expiresAt > Date.now() && options.force !== true)
    throw new TerminalError(
      `process ${lease.pid} on ${lease.host} drives ${delivery}; its lease runs until ${dateText(lease.expiresAt)}`,
      `end that process first; if you know that it is gone, \`ropewalk unlock --force --delivery ${delivery}\``,
    )
  await log.breakLease(delivery)
  if (screen.json) screen.emit({ delivery, broken: lease })
  else if (lease === null) screen.print(`Nobody drives ${delivery}: there was nothing to unlock.`)
  else screen.print(`Taken from process ${lease.pid} on ${lease.host}. \`ropewalk resume\` goes on.`)
  return 0
}

async function salvage({ screen, world }: Cli): Promise<number> {
  const report = await world.salvage()
  if (screen.json) screen.emit(report)
  else if (report.status === 'intact') screen.print('The log is intact; nothing was changed.')
  else
    screen.print(
      'The log is usable again; every event of the intact part is in it.',
      ...table(
        report.deliveries.map(({ delivery, kept, lost, problem }) => [
          delivery,
          `${kept} kept`,
          lost === 0 ? '' : `${lost ?? 'some'} lost`,
          dim(problem ?? ''),
        ]),
        '  ',
      ),
      `The damaged file is kept as ${report.damagedFile}.`,
    )
  return 0
}
