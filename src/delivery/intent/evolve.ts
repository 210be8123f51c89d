import type { DeliveryState } from '../state.ts'
import type { IntentOutcome } from './events.ts'

/** What is meant becomes clearer. */
export function evolveIntent(state: DeliveryState, event: IntentOutcome): void {
  if (event.type === 'ContextHarvested') state.intent.context = event.context
}
