import { decide } from '../delivery/decide.ts'
import type { Intent, IntentRefusal } from '../delivery/intents.ts'
import type { DeliveryState } from '../delivery/state.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog, Wake } from '../ports/event-log.ts'
import { fold, load } from './load.ts'

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
