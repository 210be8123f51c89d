import type { DeliveryOption } from '../choose-delivery.ts'
import { decideWith } from '../decide.ts'
import { exitCodes } from '../exit-code.ts'
import type { Cli } from '../world.ts'

export interface StopOptions extends DeliveryOption {
  because?: string
}

/** Ends a delivery before its time: by its driver, or here when it has none. What was merged stays, what was done is kept. */
export async function stop(cli: Cli, options: StopOptions): Promise<number> {
  const reason = options.because ?? 'stopped by the operator'
  const intent = { type: 'StopDelivery', reason, by: cli.world.user } as const
  const code = await decideWith(cli, { ...options, resume: true }, () => ({
    intent,
    said: 'To be stopped',
    driverDoes: 'ends it',
  }))
  return code === exitCodes.operator ? exitCodes.done : code
}
