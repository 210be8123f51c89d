import { hash } from 'node:crypto'
import { decide } from '../delivery/decide.ts'
import { evolve } from '../delivery/evolve.ts'
import type { Intent, IntentRefusal } from '../delivery/intents.ts'
import { type DeliveryState, initialState } from '../delivery/state.ts'
import type { Clock } from '../ports/clock.ts'
import { TerminalError } from '../ports/errors.ts'
import type { EventLog, Recorded, Wake } from '../ports/event-log.ts'

/** Changes with the shape of the state, so that a snapshot of another shape is never read. */
export const stateShape = '16'

/** The state of a delivery: its snapshot, if there is one, and the events since. Version 0: there is no such delivery. */
export async function load(log: EventLog, delivery: string): Promise<DeliveryState> {
  const snapshot = await log.loadSnapshot(delivery, stateShape)
  const state = (snapshot === null ? null : unsealed(snapshot.state)) ?? initialState(delivery)
  return fold(state, await log.read(delivery, state.version))
}

/** With its digest in front: what is only a cache must not be believed when it was damaged. */
export function sealed(state: DeliveryState): string {
  const text = JSON.stringify(state)
  return `${sha256(text)} ${text}`
}

/** Null: it is damaged, and the events are read instead. */
function unsealed(snapshot: string): DeliveryState | null {
  const [digest, text] = [snapshot.slice(0, 64), snapshot.slice(65)]
  return sha256(text) === digest ? (JSON.parse(text) as DeliveryState) : null
}

const sha256 = (text: string): string => hash('sha256', text)

export function fold(state: DeliveryState, recorded: Recorded[]): DeliveryState {
  for (const one of recorded) believing(one, () => evolve(state, one))
  return state
}

/** Whatever fails after an event that was believed up to it is told of that event. */
export function believing<T>(one: Recorded, act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw untrue(one, error)
  }
}

/** Its hash is right, and yet no Ropewalk can have written it. */
function untrue({ delivery, version, event }: Recorded, error: unknown): TerminalError {
  // What JavaScript says of a value of another kind helps nobody.
  const why = error instanceof TypeError || error instanceof RangeError ? '' : `: ${textOf(error)}`
  const told = new TerminalError(
    `event ${version} of ${delivery} (${event.type}) tells of what cannot have happened${why}`,
    '`ropewalk log` shows it. If somebody has changed the log, restore log.sqlite from a backup; if nobody has, please report this',
  )
  told.cause = error
  return told
}

const textOf = (error: unknown): string => (error as Error).message.replace(/^broken invariant: /, '')

export type Submitted = { state: DeliveryState; accepted: number } | IntentRefusal

/** Puts an intent to the law, and its events into the log. Decided again when somebody else was faster. */
export async function submit(
  world: { log: EventLog; clock: Clock; wake: Wake },
  request: { delivery: string; intent: Intent; actor: string },
): Promise<Submitted> {
  const { delivery, intent, actor } = request
  for (;;) {
    const state = await load(world.log, delivery)
    const decision = decide(intent, state)
    if ('refused' in decision) return decision
    if (decision.events.length === 0) return { state, accepted: 0 }
    const at = world.clock.now()
    const events = decision.events.map((event) => ({ at, actor, cause: intent.type, event }))
    const appended = await world.log.append({ delivery, expected: state.version, events, fence: null, slots: [] })
    if (appended.status !== 'appended') continue
    world.wake.ring(delivery)
    return { state: fold(state, appended.recorded), accepted: events.length }
  }
}
