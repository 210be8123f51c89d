import type { DeliveryState, Request } from '../../delivery/state.ts'
import type { Repository } from '../../ports/repository.ts'
import { invariant } from '../../std/never.ts'
import type { StepWorld } from '../world.ts'

/** What was requested; a step before that is a bug of ours. */
export function requestOf(state: DeliveryState): Request {
  invariant(state.request !== null, 'nothing was requested yet')
  return state.request
}

export const repositoryFor = (world: StepWorld, state: DeliveryState): Promise<Repository> =>
  world.repository(requestOf(state).repository)
