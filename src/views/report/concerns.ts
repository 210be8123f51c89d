import type { Envelope } from '../../delivery/events.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import { toldConcerns } from '../word.ts'

export interface Concern {
  kind: 'flaky' | 'waived' | 'red-base' | 'skipped' | 'other'
  text: string
}

/** What the reader should know although it may be done. */
export function concernsOf(state: DeliveryState, events: Envelope[]): Concern[] {
  const waivers = events.flatMap(({ event }): Concern[] =>
    event.type === 'FindingWaived'
      ? [{ kind: 'waived', text: `${titleOf(state, event.story)}: ${event.by} let a finding stand: ${event.because}` }]
      : [],
  )
  const skipped = Object.values(state.stories).flatMap(({ spec, control }): Concern[] =>
    control.status === 'skipped' ? [{ kind: 'skipped', text: `${spec.title} was left out: ${control.reason}` }] : [],
  )
  return [...toldConcerns(state).map((text) => ({ kind: kindOf(text), text })), ...waivers, ...skipped]
}

const titleOf = (state: DeliveryState, story: string): string => state.stories[story]?.spec.title ?? story

function kindOf(text: string): Concern['kind'] {
  if (/^flaky/i.test(text)) return 'flaky'
  if (/^the base is red/.test(text)) return 'red-base'
  return /: waived: /.test(text) ? 'waived' : 'other'
}
