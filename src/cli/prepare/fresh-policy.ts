import type { Policy } from '../../delivery/policy.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { policyOf } from '../../delivery/state.ts'
import { dim, yellow } from '../show/line.ts'
import type { Cli } from '../world.ts'
import { preflight } from './preflight.ts'

/** The policy that the settings give as they are now, for a delivery that was requested under others. */
export async function freshPolicy(cli: Cli, state: DeliveryState): Promise<Policy> {
  const { repository, target } = state.request!
  const { unattended, gates } = policyOf(state)
  const there = { ...cli, cwd: repository.path }
  const { policy, warnings, notes } = await preflight(there, { target, usualGates: gates, unattended }, cli.world.home)
  for (const warning of warnings) cli.screen.warn([yellow('warning: '), warning])
  cli.screen.warn(...notes.map(dim))
  if (policy.gates !== gates)
    cli.screen.warn(dim(`gates: ${policy.gates} from now on, as the settings say; it was ${gates}`))
  return { ...policy, unattended }
}
