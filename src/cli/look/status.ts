import { oneLine } from '../../std/text/plain-text.ts'
import { bold, dim, table } from '../show/line.ts'
import { leavingLines, statusLines } from '../show/lines/status-lines.ts'
import { dateText } from '../show/time.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'show what is happening in a delivery',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--all': 'every delivery of this machine, one line each' },
}

/** Where a delivery is; or all of them, one line each. */
export const statusVerb = verb(words, async (cli, _, options) => {
  if (options.all) return await all(cli)
  const { desk, screen } = cli
  const { view, driver, pulses, leaving } = await desk.status(options.delivery)
  screen.show({ ...view, driver, pulses, leaving }, () => [
    ...statusLines(view, { at: Date.now(), driver, pulses, columns: screen.size().columns }),
    ...leavingLines(leaving),
  ])
  return 0
})

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
