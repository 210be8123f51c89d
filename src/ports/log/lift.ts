import type { DeliveryEvent } from '../../delivery/events.ts'
import { TerminalError } from '../errors.ts'

/** The shape in which events are written today. */
export const schemaNumber = 2

/** Turns an event of any shape ever written into today's; the only place that knows earlier shapes. */
export function lift(schema: number, event: DeliveryEvent): DeliveryEvent {
  if (schema > schemaNumber) throw newerThanUs(schema)
  // Until 2 nobody knew whose service had refused.
  return event.type === 'AgentRefused' && schema < 2 ? { ...event, account: '' } : event
}

export function newerThanUs(schema: number): TerminalError {
  return new TerminalError(
    `the log was written by a newer ropewalk (schema ${schema}, this one knows ${schemaNumber})`,
    'upgrade ropewalk',
  )
}
