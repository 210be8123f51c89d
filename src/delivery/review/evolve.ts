import type { DeliveryState } from '../state.ts'
import type { ReviewOutcome } from './events.ts'

/** Reviewers, the triager and tests of findings have said something. */
export function evolveReview(_state: DeliveryState, _event: ReviewOutcome): void {}
