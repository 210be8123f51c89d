import { never } from '../../std/never.ts'
import type { DeliveryEvent } from '../events.ts'
import type { Instant } from '../ids.ts'
import type { DeliveryState } from '../state.ts'

/** What each of these events makes of the state: one that has no entry does not compile. */
export type Reducers<E extends DeliveryEvent, G = Instant> = {
  [T in E['type']]: (state: DeliveryState, event: Extract<E, { type: T }>, given: G) => void
}

export function reduce<E extends DeliveryEvent, G>(
  reducers: Reducers<E, G>,
  state: DeliveryState,
  { event, given }: { event: E; given: G },
): void {
  // Compiled code knows all types: another one came from a file.
  if (!Object.hasOwn(reducers, event.type)) return never(event as never)
  const reducer = reducers[event.type as E['type']] as (state: DeliveryState, event: E, given: G) => void
  reducer(state, event, given)
}
