import type { EventType } from '../../delivery/events.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { initialState } from '../../delivery/state.ts'
import { believing, fold, load } from '../../engine/load.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { ChainReport, EventQuery, Recorded } from '../../ports/event-log.ts'
import { type StatusView, statusView } from '../../views/status.ts'
import { eventLine } from '../../views/story/event-line.ts'
import { chooseDelivery, driverOf } from '../choose-delivery.ts'
import type { Visit } from '../world.ts'

interface LogAsked {
  types: string[]
  story: string | undefined
  limit: number
  /** Called with what comes in after the answer, until `signal` aborts. */
  follow: { onEvents(recorded: Recorded[]): void; signal: AbortSignal } | null
  /** Called with what is there. `none`: why it is nothing. */
  onFound(recorded: Recorded[], none: string | null): void
}

/** What is on record, newest last. */
export async function events(visit: Visit, name: string | undefined, asked: LogAsked): Promise<void> {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  const { types, story = null, limit, follow } = asked
  const query: EventQuery = { delivery, types: types as EventType[], story, after: 0, limit, from: 'last' }
  const found = await log.query(query)
  asked.onFound(found, found.length === 0 ? await nothingFits(visit, query) : null)
  let after = found.at(-1)?.position ?? 0
  if (follow === null) return
  await following(visit, { delivery, signal: follow.signal }, async () => {
    const fresh = await log.query({ ...query, after, from: 'first', limit: 1000 })
    after = fresh.at(-1)?.position ?? after
    follow.onEvents(fresh)
    return false
  })
}

/** An empty answer may be a typing error, so it names what would have fitted. */
async function nothingFits({ world }: Visit, { delivery, types }: EventQuery): Promise<string> {
  const all = (await (await world.log()).read(delivery!, 0)).map(({ event }) => event)
  const names = types.length > 0 ? all.map((event) => event.type) : all.flatMap((event) => eventLine(event).story ?? [])
  return `no event fits; the log has: ${[...new Set<string>(names)].join(', ')}`
}

/** Whether the chain of a delivery's events is whole. */
export async function verifyLog(visit: Visit, name: string | undefined): Promise<ChainReport & { delivery: string }> {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  return { delivery, ...(await log.verify(delivery)) }
}

/** An event, and what was true after it. */
interface Moment {
  recorded: Recorded
  /** The words that changed: of the delivery under '', of each story under its id. */
  changed: Record<string, string>
  isLast: boolean
  standing(): StatusView
}

/** A delivery event by event; with `at`, only where it was after that one. */
export async function replayDelivery(
  visit: Visit,
  name: string | undefined,
  at: number | null,
): Promise<Iterable<Moment>> {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  const all = await log.read(delivery, 0)
  if (at === null) return momentsOf(delivery, all)
  if (Number.isInteger(at) && at >= 1 && at <= all.length) return [momentAt(delivery, all.slice(0, at))]
  throw new TerminalError(
    'this delivery has no such event',
    `give a number from 1 to ${all.length}, as \`ropewalk log\` shows them`,
  )
}

function* momentsOf(delivery: string, all: Recorded[]): Iterable<Moment> {
  const state = initialState(delivery)
  let before = new Map<string, string>()
  for (const recorded of all) {
    fold(state, [recorded])
    const now = believing(recorded, () => wordsOf(state, recorded.at))
    const changed = Object.fromEntries([...now].filter(([name, word]) => before.get(name) !== word))
    before = now
    yield { recorded, changed, isLast: recorded === all.at(-1), standing: () => statusView(state, recorded.at) }
  }
}

function momentAt(delivery: string, upTo: Recorded[]): Moment {
  const recorded = upTo.at(-1)!
  const state = fold(initialState(delivery), upTo)
  believing(recorded, () => wordsOf(state, recorded.at))
  return { recorded, changed: {}, isLast: true, standing: () => statusView(state, recorded.at) }
}

/** Of the delivery and of each story, where they are. */
function wordsOf(state: DeliveryState, at: number): Map<string, string> {
  const { word, stories } = statusView(state, at)
  return new Map([['', word], ...stories.map(({ story, word: its }): [string, string] => [story, its])])
}

/** A driver that was just started needs a moment to show up. */
const undrivenMs = 10_000

interface Watching {
  signal: AbortSignal
  /** Called at once, and whenever something has happened. */
  changed(state: DeliveryState, recorded: Recorded[]): void
}

/** Follows a delivery until it ends, nobody drives it any more, or the signal aborts. */
export async function watchDelivery(
  visit: Visit,
  name: string | undefined,
  { signal, changed }: Watching,
): Promise<DeliveryState> {
  const log = await visit.world.log()
  const { delivery } = await chooseDelivery(visit, log, name)
  const state = await load(log, delivery)
  changed(state, [])
  let drivenAt = Date.now()
  await following(visit, { delivery, signal }, async () => {
    const fresh = await log.read(delivery, state.version)
    if (fresh.length > 0) changed(fold(state, fresh), fresh)
    const at = Date.now()
    if ((await driverOf(log, delivery, at)) !== null) drivenAt = at
    return state.mode.status === 'ended' || at - drivenAt > undrivenMs
  })
  return state
}

/** A wake-up that was lost costs no more than this. */
const lookAgainMs = 1000

/** Calls `look` at once, on each sign of change and now and then, until it says that it is over or the signal aborts. */
async function following(
  { world }: Visit,
  { delivery, signal }: { delivery: string; signal: AbortSignal },
  look: () => Promise<boolean>,
): Promise<void> {
  const { wake, clock } = await world.intake()
  let stirred = new AbortController()
  const stir = () => stirred.abort()
  const deaf = wake.listen(delivery, stir)
  signal.addEventListener('abort', stir)
  try {
    while (!signal.aborted) {
      stirred = new AbortController()
      if (await look()) return
      if (!signal.aborted) await clock.until(clock.now() + lookAgainMs, stirred.signal)
    }
  } finally {
    deaf()
    signal.removeEventListener('abort', stir)
  }
}
