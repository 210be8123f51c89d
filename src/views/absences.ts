import type { Refusal } from '../delivery/events.ts'
import type { Instant } from '../delivery/ids.ts'
import { barText } from '../delivery/shared/choosing.ts'
import type { DeliveryState } from '../delivery/state.ts'

/** An agent that takes no turns now. */
export interface AbsenceView {
  agent: string
  model: string | null
  kind: Refusal
  /** Null: until a human has seen to it. */
  until: Instant | null
  message: string
  remedy: string
}

/** Those that are away at this moment, the ones that only a human can bring back first. */
export function absencesView(state: DeliveryState, at: Instant): AbsenceView[] {
  const away = Object.values(state.absences).filter(({ until }) => until === null || until > at)
  return away
    .map(({ agent, model, kind, until, message, remedy }) => ({ agent, model, kind, until, message, remedy }))
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0))
}

/** `claude is paused until 14:05 (rate-limit)`; the caller says how a time is written. */
export const absenceText = (absence: AbsenceView, timeText: (at: Instant) => string): string =>
  absence.until === null
    ? barText(absence)
    : `${absence.agent} is paused until ${timeText(absence.until)} (${absence.kind})`
