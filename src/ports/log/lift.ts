import type { DeliveryEvent } from '../../delivery/events.ts'
import { TerminalError } from '../errors.ts'

/** The shape in which events are written today. */
export const schemaNumber = 1

/** Turns an event of any shape that a release has written into today's; the only place that knows earlier shapes. */
export function lift(schema: number, event: DeliveryEvent): DeliveryEvent {
  if (schema > schemaNumber) throw newerThanUs(schema)
  return event
}

export function newerThanUs(schema: number): TerminalError {
  return new TerminalError(
    `the log was written by a newer ropewalk (schema ${schema}, this one knows ${schemaNumber})`,
    'upgrade ropewalk',
  )
}

/** `what`: the file, by its path. */
export function beforeFirstRelease(what: string): TerminalError {
  return new TerminalError(
    `${what} was written by a version of ropewalk before its first release, and cannot be read`,
    'finish what is in it with the version that wrote it, or move it away and begin anew',
  )
}
