import type { Intent } from '../delivery/intents.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { submit } from '../engine/submit.ts'
import { TerminalError } from '../ports/errors.ts'
import { statusView } from '../views/status.ts'
import type { DeliveryOption } from './choose-delivery.ts'
import { chosen, refuseImported } from './choose-delivery.ts'
import type { Cli } from './world.ts'

export interface DecidingOptions extends DeliveryOption {
  /** Go on here when nobody else does. */
  resume?: boolean
}

export interface Decided {
  intent: Intent
  said: string | ((driven: boolean) => string)
  /** Done once it is on record. */
  afterwards?: () => Promise<unknown>
  /** What its driver does about it. */
  driverDoes?: string
}

/** Records what a person decided, wakes whoever drives the delivery, and says who goes on. */
export async function decideWith(
  cli: Cli,
  options: DecidingOptions,
  intentFor: (state: DeliveryState) => Decided | Promise<Decided>,
): Promise<number> {
  const { log, state } = await chosen(cli, options)
  refuseImported(state)
  const { intent, said, afterwards, driverDoes = 'goes on' } = await intentFor(state)
  const { user } = cli.world
  const submitted = await submit(await cli.world.intake(), { delivery: state.id, intent, actor: user })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  await afterwards?.()
  const lease = await log.leaseOf(state.id)
  const driven = lease !== null && lease.expiresAt > Date.now()
  if (options.resume === true && !driven) {
    // Its driver may have ended it by now: what was stopped must not be opened again.
    if (intent.type === 'StopDelivery')
      return await (await import('./deliver/go.ts')).go(cli, { delivery: state.id, stay: false })
    const { resume } = await import('./deliver/resume.ts')
    return await resume(cli, state.id, {})
  }
  if (cli.screen.json)
    cli.screen.emit({ accepted: submitted.accepted, driven, ...statusView(submitted.state, Date.now()) })
  else
    cli.screen.print(
      `${typeof said === 'string' ? said : said(driven)}.`,
      driven ? `Process ${lease.pid} ${driverDoes}.` : 'Nobody drives it: `ropewalk resume` goes on.',
    )
  return 0
}
