import { evolve } from '../delivery/evolve.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { initialState } from '../delivery/state.ts'
import type { EventLog, Recorded } from '../ports/event-log.ts'

/** Changes with the shape of the state, so that a snapshot of another shape is never read. */
export const stateShape = '12'

/** The state of a delivery: its snapshot, if there is one, and the events since. Version 0: there is no such delivery. */
export async function load(log: EventLog, delivery: string): Promise<DeliveryState> {
  const snapshot = await log.loadSnapshot(delivery, stateShape)
  const state = snapshot === null ? initialState(delivery) : (JSON.parse(snapshot.state) as DeliveryState)
  return fold(state, await log.read(delivery, state.version))
}

export function fold(state: DeliveryState, recorded: Recorded[]): DeliveryState {
  for (const one of recorded) evolve(state, one)
  return state
}
