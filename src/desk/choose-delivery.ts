import type { Intent } from '../delivery/intents.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { notAdopted } from '../delivery/stepping/lifecycle.ts'
import { load, type Submitted, submit } from '../engine/load.ts'
import { TerminalError } from '../ports/errors.ts'
import type { DeliveryRow, EventLog, Lease } from '../ports/event-log.ts'
import { nearest } from '../std/nearest.ts'
import { searchState } from './gc/searches.ts'
import type { Visit } from './world.ts'

/** The delivery a verb is about, as it is now. */
export async function chosen(visit: Visit, name: string | undefined): Promise<{ log: EventLog; state: DeliveryState }> {
  const log = await visit.world.log()
  const row = await chooseDelivery(visit, log, name)
  return { log, state: await load(log, row.delivery) }
}

/** For whatever continues it. */
export function refuseImported(state: DeliveryState): void {
  if (state.imported === null) return
  const { refused, remedy } = notAdopted(state)
  throw new TerminalError(refused, remedy)
}

/** By name; else the newest open one of the repository we are in, else its newest, and a review only when there is no other. */
export async function chooseDelivery(visit: Visit, log: EventLog, name: string | undefined): Promise<DeliveryRow> {
  if (name !== undefined) return namedDelivery(await log.deliveries(null), name)
  const repository = await visit.world.repositoryId(visit.folder)
  const rows = newestFirst(withoutLedgers(await log.deliveries(repository)))
  const row = rows.find((one) => one.result === null) ?? (await newestNoReview(log, rows)) ?? rows[0]
  if (row !== undefined) return row
  await refuseLost(visit, log)
  if (repository === null)
    throw new TerminalError('there is no delivery yet', 'start one: ropewalk run "<requirement>"')
  throw new TerminalError(
    'this repository has no delivery yet',
    'start one with ropewalk run "<requirement>", or name one of another repository (ropewalk status --all lists them)',
  )
}

/** "No delivery yet" is not true of a log that has lost all that it knew: there is still work of them. */
export async function refuseLost({ world }: Pick<Visit, 'world'>, log: EventLog): Promise<void> {
  const rows = await log.deliveries(null)
  const lost = rows.length > 0 ? [] : world.housed().filter((id) => searchState(id) === 'none')
  if (lost.length > 0)
    throw new TerminalError(
      `the log knows no delivery, and this home has work of ${lost.length} (${lost.slice(0, 3).join(', ')})`,
      'list what is left with `ropewalk unlock --salvage`; a new delivery can take it up',
    )
}

/** What only looked at work is soon over and forgotten; whoever asks where things are means a delivery that changes them. */
async function newestNoReview(log: EventLog, rows: DeliveryRow[]): Promise<DeliveryRow | null> {
  for (const row of rows) {
    const about = { delivery: row.delivery, types: ['DeliveryRequested' as const], story: null, after: 0 }
    const [requested] = await log.query({ ...about, limit: 1, from: 'first' })
    if (requested?.event.type === 'DeliveryRequested' && requested.event.review === null) return row
  }
  return null
}

/** What was only estimated or learned is in the log for what it cost, and is no delivery. No other id has a dot. */
export const ledgerId = (of: 'estimate' | 'learn', id: string): string => `${of}.${id}`
export const isLedger = ({ delivery }: DeliveryRow): boolean => delivery.includes('.')
export const withoutLedgers = (rows: DeliveryRow[]): DeliveryRow[] => rows.filter((row) => !isLedger(row))

export const newestFirst = (rows: DeliveryRow[]): DeliveryRow[] =>
  [...rows].sort((a, b) => b.requestedAt - a.requestedAt || (a.delivery < b.delivery ? 1 : -1))

/** An id, or the beginning of exactly one. */
export function namedDelivery(rows: DeliveryRow[], name: string): DeliveryRow {
  const exact = rows.find((row) => row.delivery === name)
  const matching = exact === undefined ? rows.filter((row) => row.delivery.startsWith(name)) : [exact]
  if (matching.length === 1) return matching[0]!
  const ids = matching.map((row) => row.delivery)
  if (ids.length > 1)
    throw new TerminalError(`"${name}" fits ${ids.length} deliveries`, `name one of: ${ids.slice(0, 10).join(', ')}`)
  const meant = nearest(
    name,
    rows.map((row) => row.delivery),
  )
  throw new TerminalError(
    `there is no delivery "${name}"`,
    meant === null ? 'list them with ropewalk status --all' : `did you mean ${meant}?`,
  )
}

/** Whoever drives it now. */
export async function driverOf(log: EventLog, delivery: string, at: number): Promise<Lease | null> {
  const lease = await log.leaseOf(delivery)
  return lease !== null && lease.expiresAt > at ? lease : null
}

/** Puts what a visitor asks for to the law; what it refuses is their error. */
export async function putIntent(
  { world, user }: Visit,
  delivery: string,
  intent: Intent,
): Promise<Exclude<Submitted, { refused: string }>> {
  const submitted = await submit(await world.intake(), { delivery, intent, actor: user })
  if ('refused' in submitted) throw new TerminalError(submitted.refused, submitted.remedy)
  return submitted
}
