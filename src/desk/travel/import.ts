import { resolve } from 'node:path'
import { type DeliveryState, initialState } from '../../delivery/state.ts'
import { fold, load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { EventLog, Recorded } from '../../ports/event-log.ts'
import { identifierProblem } from '../../std/identifier.ts'
import { chooseDelivery } from '../choose-delivery.ts'
import type { GivenFile } from '../prepare/preflight.ts'
import type { Visit } from '../world.ts'

interface ImportAsked {
  /** What `export` wrote. */
  given: GivenFile
  /** A file with its commits. */
  bundle: string | undefined
}

/** Takes an exported delivery into this log, to be looked at: under its own id, with its own chain, and marked. */
export async function importDelivery(visit: Visit, { given, bundle }: ImportAsked) {
  const { world, folder, user } = visit
  const log = await world.log()
  const { delivery, events } = exported(log, given)
  if ((await log.deliveries(null)).some((row) => row.delivery === delivery))
    throw new TerminalError(
      `${delivery} is in this log already`,
      `nothing was changed; \`ropewalk status --delivery ${delivery}\` shows it`,
    )
  const repository = await repositoryHere(visit, bundle)
  if (bundle !== undefined && repository !== null) {
    const clone = await (await world.repositories(world.home)).open(repository)
    await clone.readBundle({ delivery, file: resolve(folder, bundle) })
  }
  const { clock } = await world.intake()
  const event = { type: 'DeliveryImported', repository, by: user } as const
  await log.takeIn(events, { at: clock.now(), actor: user, cause: 'import', event })
  return { delivery, events: events.length }
}

/** Where its commits are put, or looked for: in the repository around us; its own path is one of another machine. */
async function repositoryHere({ world, folder }: Visit, bundle: string | undefined) {
  const repositories = await world.repositories(world.home)
  return await repositories.find(folder).catch((error: unknown) => {
    if (!(error instanceof TerminalError)) throw error
    if (bundle === undefined) return null
    throw new TerminalError(
      'a bundle can only be imported inside a repository',
      'import it in a clone of the repository that the delivery is about',
    )
  })
}

const again = 'nothing was imported; give a file that `ropewalk export` wrote'

/** All of its lines, if they are what `export` writes, from the first event to the line that counts them. */
function exported(log: EventLog, { text, place: file }: GivenFile): { delivery: string; events: Recorded[] } {
  const values = text
    .split('\n')
    .flatMap((line, index, all) =>
      line.trim() === '' ? [] : [parsed(line, `${file}:${index + 1}`, index > 0 && index === all.length - 1)],
    )
  const { end } = (values.at(-1) ?? {}) as { end?: { events?: unknown; head?: unknown } }
  const events = log.recorded(values.slice(0, end === undefined ? undefined : -1), file)
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) throw new TerminalError(`${file} holds no events`, again)
  if (end === undefined)
    throw new TerminalError(
      `${file} is cut off after ${events.length} events: its last line is missing`,
      'export it again, and copy all of it',
    )
  if (end.events !== events.length || end.head !== last.hash)
    throw new TerminalError(
      `${file} is not whole: it has ${events.length} events, and says that it has ${end.events}`,
      'export it again, and copy all of it',
    )
  const problem = identifierProblem(first.delivery)
  if (problem !== null) throw new TerminalError(`${file}: the delivery's id ${problem}`, again)
  understood(log, events, file)
  return { delivery: first.delivery, events }
}

/** A file may be intact and still tell of nothing that can have happened. */
function understood(log: EventLog, events: Recorded[], file: string): void {
  const notOne = (why: string) => new TerminalError(`${file} is not a delivery: ${why}`, again)
  if (events[0]!.event.type !== 'DeliveryRequested') throw notOne('it does not begin with a request')
  try {
    const state = fold(initialState(events[0]!.delivery), log.lifted(events))
    const strange = state.order.find((story) => identifierProblem(story) !== null)
    if (strange !== undefined) throw notOne(`a story's id ${identifierProblem(strange)}`)
    if (state.policy === null) throw notOne('it has no settings')
    if (!commitsIn(state, events).every((id) => /^[0-9a-f]{40}$/.test(id)))
      throw notOne('it names commits that cannot exist')
  } catch (error) {
    throw error instanceof TerminalError ? error : notOne((error as Error).message)
  }
}

/** All that is later asked of git by it. */
function commitsIn({ request, line, stories }: DeliveryState, events: Recorded[]): string[] {
  const controls = Object.values(stories).map(
    ({ control }) => control as { base?: string; from?: string; commit?: string },
  )
  const named = controls.flatMap(({ base, from, commit }) => [base, from, commit].filter((id) => id !== undefined))
  const moves = events.flatMap(({ event }) => (event.type === 'LineAdvanced' ? [event.from, event.to] : []))
  return [request!.base, line.tip, line.target, ...named, ...moves]
}

function parsed(line: string, place: string, last: boolean): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw last
      ? new TerminalError(`${place}: the file is cut off in this line`, 'export it again, and copy all of it')
      : new TerminalError(`${place}: this is not JSON`, again)
  }
}

/** A whole delivery; with a file for a bundle, its commits are written there. */
export async function exportDelivery(visit: Visit, name: string | undefined, bundle: string | undefined) {
  const { world, folder } = visit
  const log = await world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  if (bundle !== undefined) {
    const { repository, base } = (await load(log, delivery)).request!
    const clone = await (await world.repositories(world.home)).open(repository)
    await clone.writeBundle({ delivery, base, file: resolve(folder, bundle) })
  }
  const events = await log.written(delivery)
  return { events, end: { delivery, events: events.length, head: events.at(-1)!.hash, schema: events.at(-1)!.schema } }
}
