import { expect } from 'vitest'
import { decide } from '../../src/delivery/decide.ts'
import type { DeliveryEvent } from '../../src/delivery/events.ts'
import type { Intent } from '../../src/delivery/intents.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'
import { fold } from './sample.ts'

/** `given(events).when(intent).then(events)`, or `.refused(words)`. A state will do where events would be long. */
export function given(history: DeliveryEvent[] | DeliveryState) {
  const state = Array.isArray(history) ? fold(history) : history
  return {
    when(intent: Intent) {
      const decision = decide(intent, state)
      return {
        // biome-ignore lint/suspicious/noThenProperty: the words of the tests; nobody awaits this
        then: (events: DeliveryEvent[]) => expect(decision).toEqual({ events }),
        refused(words: RegExp) {
          expect(decision).toMatchObject({ refused: expect.stringMatching(words), remedy: expect.stringMatching(/./) })
        },
      }
    },
  }
}
