import type { DeliveryState } from '../state.ts'
import type { SpecOutcome } from './events.ts'

/** A plan was audited, or a story got another specification. */
export function evolveSpecs(_state: DeliveryState, _event: SpecOutcome): void {}
