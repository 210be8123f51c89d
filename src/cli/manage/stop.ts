import { drive } from '../../engine/drive.ts'
import { submit } from '../../engine/submit.ts'
import type { DeliveryRow } from '../../ports/event-log.ts'
import { counted } from '../../views/step-text.ts'
import type { DeliveryOption } from '../choose-delivery.ts'
import { decideWith } from '../decide.ts'
import { exitCodes } from '../exit-code.ts'
import { bold } from '../show/line.ts'
import { table } from '../show/table.ts'
import type { Cli } from '../world.ts'

export interface StopOptions extends DeliveryOption {
  because?: string
  now?: boolean
  all?: boolean
}

/** Ends a delivery before its time: by its driver, or here when it has none. What was merged stays, what was done is kept. */
export async function stop(cli: Cli, options: StopOptions): Promise<number> {
  if (options.all === true) return await stopAll(cli, options)
  const code = await decideWith(cli, { ...options, resume: true }, (state) => ({
    intent: intentOf(cli, options),
    said: 'To be stopped',
    driverDoes: 'ends it',
    afterwards: async () => (options.now === true ? await cli.world.sweep(state.id) : 0),
  }))
  return code === exitCodes.operator ? exitCodes.done : code
}

const intentOf = ({ world }: Cli, { because }: StopOptions) =>
  ({ type: 'StopDelivery', reason: because ?? 'stopped by the operator', by: world.user }) as const

/** The kill switch: it waits for no driver. */
async function stopAll(cli: Cli, options: StopOptions): Promise<number> {
  const rows = (await (await cli.world.log()).deliveries(null)).filter((row) => row.result === null)
  const stopped = await Promise.all(rows.map((row) => stopNow(cli, row, options)))
  if (cli.screen.json) cli.screen.emit(stopped)
  else if (stopped.length === 0) cli.screen.print('No delivery is open.')
  else
    cli.screen.print(...table(stopped.map(({ delivery, killed, said }) => [bold(delivery), processes(killed), said])))
  return exitCodes.done
}

const processes = (killed: number): string => `${counted(killed, 'process', 'processes')} ended`

async function stopNow(cli: Cli, { delivery }: DeliveryRow, options: StopOptions) {
  const { user } = cli.world
  const lease = await (await cli.world.log()).leaseOf(delivery)
  const submitted = await submit(await cli.world.intake(), { delivery, intent: intentOf(cli, options), actor: user })
  const killed = await cli.world.sweep(delivery)
  const driven = lease !== null && lease.expiresAt > Date.now()
  if ('refused' in submitted) return { delivery, killed, driven, said: submitted.refused }
  return { delivery, killed, driven, said: driven ? `process ${lease.pid} ends it` : await endedHere(cli, delivery) }
}

/** Nobody drives it, so its end is driven here; one that cannot be must not keep the others from theirs. */
async function endedHere({ world }: Cli, delivery: string): Promise<string> {
  const { signal } = new AbortController()
  try {
    const { status } = await drive(await world.engine(() => {}), { delivery, signal, stay: false })
    if (status === 'ended') return 'stopped'
    return `it did not end (${status}): \`ropewalk resume ${delivery}\` goes on`
  } catch (error) {
    return `it did not end (${error instanceof Error ? error.message : error}): \`ropewalk resume ${delivery}\` goes on`
  }
}
