import { openQuestions } from '../../delivery/questions/due.ts'
import { fold, load } from '../../engine/load.ts'
import { summaryView } from '../../views/summary.ts'
import { deliveryWord } from '../../views/word.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { chooseDelivery } from '../choose-delivery.ts'
import { exitCodeOf, exitCodes } from '../exit-code.ts'
import { questionLines } from '../show/lines/question-lines.ts'
import { summaryLines } from '../show/lines/summary-lines.ts'
import { openProgress } from '../show/progress.ts'
import type { Cli } from '../world.ts'
import { following } from './following.ts'
import { driverOf } from './status.ts'

/** A driver that was just started needs a moment to show up. */
const undrivenMs = 10_000

/** Shows a delivery as it goes on, until it ends or nobody drives it any more. Changes nothing. */
export async function watch(cli: Cli, options: DeliveryOption): Promise<number> {
  const { screen } = cli
  const log = await cli.world.log()
  const { delivery } = await chooseDelivery(cli, log, options.delivery)
  const state = await load(log, delivery)
  const pulses = await cli.world.pulses()
  const progress = openProgress(screen, { pulses: () => pulses.of(delivery), answeredElsewhere: true })
  progress.changed(state, [])
  let drivenAt = Date.now()
  const ended = await following(cli, delivery, async () => {
    const fresh = await log.read(delivery, state.version)
    if (fresh.length > 0) progress.changed(fold(state, fresh), fresh)
    const at = Date.now()
    if ((await driverOf(log, delivery, at)) !== null) drivenAt = at
    return state.mode.status === 'ended' || at - drivenAt > undrivenMs
  })
  progress.close(state.mode.status === 'ended' ? 'goes' : 'stays')
  if (ended === 'interrupted') return exitCodes.operator
  const summary = summaryView(state, Date.now())
  if (screen.json) screen.emit({ summary })
  else if (state.mode.status === 'ended') screen.print(...summaryLines(summary))
  else screen.print(...questionLines(openQuestions(state)), 'Nobody drives it: `ropewalk resume` goes on.')
  return exitCodeOf(deliveryWord(state, Date.now()))
}
