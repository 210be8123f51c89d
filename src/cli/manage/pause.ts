import type { DeliveryOption } from '../choose-delivery.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface PauseOptions extends DeliveryOption {
  now?: boolean
}

/** Nothing more is begun until it is resumed; what runs may finish, or not even that. */
export async function pause(cli: Cli, options: PauseOptions): Promise<number> {
  const intent = { type: 'PauseDelivery', now: options.now === true, by: cli.world.user } as const
  const said = options.now === true ? 'Paused; what runs is ended now' : 'Paused; what runs may finish'
  return await decideWith(cli, options, () => ({
    intent,
    said,
    driverDoes: 'begins nothing more until `ropewalk resume`',
  }))
}
