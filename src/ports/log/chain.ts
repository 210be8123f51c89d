import { hash } from 'node:crypto'
import type { DeliveryEvent } from '../../delivery/events.ts'
import { canonical } from '../../std/hash.ts'
import type { Recorded } from '../event-log.ts'
import { lift } from './lift.ts'
import { envelopeProblem, eventProblem } from './shape.ts'

// The hash chain is the same in every log, so that a delivery exported from one is adopted by another.

/** What the first event of each delivery follows from. */
export const genesis = hash('sha256', 'ropewalk')

/** Whether it is the first event of a delivery that a version before the first release wrote. */
export const isUnreleased = ({ version, previous }: Pick<Recorded, 'version' | 'previous'>): boolean =>
  version === 1 && previous === '0'.repeat(64)

/** An event's hash, from its record text. */
export const digestOf = (text: string): string => hash('sha256', text)

/** What a hash covers: the envelope on one line, the event with sorted keys on the other. */
export function recordText(entry: Unhashed): string {
  return `${envelopeText(entry)}\n${canonical(entry.event)}`
}

export type Unhashed = Omit<Recorded, 'position' | 'hash'>

export function envelopeText({ previous, delivery, version, at, schema, actor, cause }: Unhashed): string {
  return JSON.stringify([previous, delivery, version, at, schema, actor, cause])
}

/** In today's shape. Throws where the text is no event. */
export function parseRecord(position: number, hash: string, text: string): Recorded {
  return liftedRecord(writtenRecord(position, hash, text))
}

/** As it was written, which is what its hash is of. */
export function writtenRecord(position: number, hash: string, text: string): Recorded {
  const cut = text.indexOf('\n')
  const [previous, delivery, version, at, schema, actor, cause] = JSON.parse(text.slice(0, cut)) as EnvelopeFields
  const event = JSON.parse(text.slice(cut + 1)) as DeliveryEvent
  return { position, delivery, version, at, schema, actor, cause, previous, hash, event }
}

export function liftedRecord(written: Recorded): Recorded {
  const event = lift(written.schema, written.event)
  const problem = envelopeProblem(written) ?? eventProblem(event)
  if (problem !== null) throw new SyntaxError(problem)
  return event === written.event ? written : { ...written, event }
}

type EnvelopeFields = [string, string, number, number, number, string, string | null]

export interface Link {
  delivery: string
  version: number
  hash: string
}

/** What is wrong with this event as the one after `before`, or null. */
export function linkProblem(before: Link, entry: Recorded): string | null {
  if (entry.delivery !== before.delivery) return `it belongs to delivery ${entry.delivery}`
  if (entry.version !== before.version + 1) return `it says that it is version ${entry.version}`
  if (entry.previous !== before.hash) return 'it does not follow from the event before it'
  return null
}

/** The first event of a whole delivery that breaks its chain. */
export function firstBreak(delivery: string, events: Recorded[]): { version: number; problem: string } | null {
  let before: Link = { delivery, version: 0, hash: genesis }
  for (const entry of events) {
    const problem =
      linkProblem(before, entry) ?? (digestOf(recordText(entry)) === entry.hash ? null : 'its hash is wrong')
    if (problem !== null) return { version: before.version + 1, problem }
    before = entry
  }
  return null
}
