import type { Instant } from '../ids.ts'

/** The clock, the calendar day and working hours, as data. */
export interface Moment {
  at: Instant
  day: string
  /** Within working hours. */
  open: boolean
  /** When `open` changes; null: never. */
  changesAt: Instant | null
}
