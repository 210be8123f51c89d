import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface StopOptions extends DecidingOptions {
  because?: string
}

/** Ends a delivery before its time. What was merged stays merged, what was done stays kept. */
export async function stop(cli: Cli, options: StopOptions): Promise<number> {
  const reason = options.because ?? 'stopped by the operator'
  const intent = { type: 'StopDelivery', reason, by: cli.world.user } as const
  return await decideWith(cli, options, () => ({ intent, said: 'To be stopped' }))
}
