import type { DeliveryEvent } from '../delivery/events.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventLog } from '../ports/event-log.ts'
import { load } from './load.ts'

/** Puts a turn that nobody drives into the ledger of its delivery, and so into what the day has cost. */
export async function book(
  { log, clock }: { log: EventLog; clock: Clock },
  { delivery, actor }: { delivery: string; actor: string },
  event: Extract<DeliveryEvent, { type: 'TurnSpent' }>,
): Promise<void> {
  for (;;) {
    const { version } = await load(log, delivery)
    const fresh = { at: clock.now(), actor, cause: null, event }
    const appended = await log.append({ delivery, expected: version, events: [fresh], fence: null, slots: [] })
    if (appended.status === 'appended') return
  }
}
