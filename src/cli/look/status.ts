import { load } from '../../engine/load.ts'
import type { DeliveryRow, EventLog, Lease } from '../../ports/event-log.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import { statusView } from '../../views/status.ts'
import { deliveryWord } from '../../views/word.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { chosen, newestFirst, refuseLost, withoutLedgers } from '../choose-delivery.ts'
import { leavingLines, leavingOf } from '../manage/gc/soon.ts'
import { bold, dim } from '../show/line.ts'
import { statusLines } from '../show/lines/status-lines.ts'
import { table } from '../show/table.ts'
import { dateText } from '../show/time.ts'
import type { Cli } from '../world.ts'

export interface StatusOptions extends DeliveryOption {
  all?: boolean
}

/** Where a delivery is; or all of them, one line each. */
export async function status(cli: Cli, options: StatusOptions): Promise<number> {
  if (options.all === true) return await all(cli)
  const { log, state } = await chosen(cli, options)
  const at = Date.now()
  const view = statusView(state, at)
  const driver = await driverOf(log, state.id, at)
  // Without a driver nobody is at work, whatever was left behind.
  const told = driver === null ? [] : (await cli.world.pulses()).of(state.id)
  const pulses = told.filter(({ step }) => state.running[step] !== undefined)
  const leaving = await leavingOf(cli)
  if (cli.screen.json) cli.screen.emit({ ...view, driver, pulses, leaving })
  else
    cli.screen.print(
      ...statusLines(view, { at, driver, pulses, columns: cli.screen.size().columns }),
      ...leavingLines(leaving),
    )
  return 0
}

export async function driverOf(log: EventLog, delivery: string, at: number): Promise<Lease | null> {
  const lease = await log.leaseOf(delivery)
  return lease !== null && lease.expiresAt > at ? lease : null
}

async function all({ world, screen }: Cli): Promise<number> {
  const log = await world.log()
  const rows = newestFirst(withoutLedgers(await log.deliveries(null)))
  await refuseLost({ world }, log)
  const listed = []
  for (const row of rows) listed.push({ ...row, word: await wordOf(log, row) })
  if (screen.json) screen.emit(listed)
  else if (listed.length === 0) screen.print('No deliveries yet. Start one: ropewalk run "<requirement>"')
  else
    screen.print(
      ...table(
        listed.map((row) => [
          row.word,
          bold(row.delivery),
          dim(row.repository),
          dim(dateText(row.requestedAt)),
          oneLine(row.title, 80),
        ]),
      ),
    )
  return 0
}

const wordOf = async (log: EventLog, { delivery, result }: DeliveryRow): Promise<string> =>
  result ?? deliveryWord(await load(log, delivery), Date.now())
