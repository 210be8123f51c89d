import { oneLine } from '../../std/text/plain-text.ts'
import { type Cli, type DeliveryOption, nameIn } from '../cli.ts'
import { bold, dim, table } from '../show/line.ts'
import { leavingLines, statusLines } from '../show/lines/status-lines.ts'
import { dateText } from '../show/time.ts'

interface StatusOptions extends DeliveryOption {
  all?: boolean
}

/** Where a delivery is; or all of them, one line each. */
export async function statusVerb(cli: Cli, given: string[], options: StatusOptions): Promise<number> {
  if (options.all === true) return await all(cli)
  const { desk, screen } = cli
  const { view, driver, pulses, leaving } = await desk.status(nameIn(given, options))
  screen.show({ ...view, driver, pulses, leaving }, () => [
    ...statusLines(view, { at: Date.now(), driver, pulses, columns: screen.size().columns }),
    ...leavingLines(leaving),
  ])
  return 0
}

async function all({ desk, screen }: Cli): Promise<number> {
  const rows = await desk.deliveries()
  const cells = () =>
    rows.map(({ word, delivery, repository, requestedAt, title }) => [
      ...[word, bold(delivery), dim(repository), dim(dateText(requestedAt)), oneLine(title, 80)],
    ])
  screen.show(rows, () =>
    rows.length === 0 ? ['There are no deliveries yet. Start one: ropewalk run "<requirement>"'] : table(cells()),
  )
  return 0
}
