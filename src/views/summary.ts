import type { Instant } from '../delivery/ids.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { storiesOf } from '../delivery/state.ts'
import { type KnownCost, knownOf, uncountedIn } from './step-text.ts'
import { nextActions } from './what-to-do.ts'
import type { DeliveryWord } from './word.ts'
import { deliveryWord, toldConcerns } from './word.ts'

/** What came of it: shown when a delivery ends or stops to wait. */
export interface SummaryView extends KnownCost {
  delivery: string
  word: DeliveryWord
  reason: string
  target: string
  tookMs: number
  merged: { story: string; title: string; commit: string }[]
  /** Proven and on the line, but not on the target. */
  joined: { story: string; title: string; commit: string }[]
  left: { story: string; word: string; reason: string }[]
  concerns: string[]
  tokens: number
  turns: number
  next: string[]
}

export function summaryView(state: DeliveryState, at: Instant): SummaryView {
  const { mode, request, money } = state
  const stories = storiesOf(state)
  return {
    delivery: state.id,
    word: deliveryWord(state, at),
    reason: mode.status === 'ended' ? mode.reason : '',
    target: request?.target ?? '',
    tookMs: (mode.status === 'ended' ? mode.at : at) - (request?.at ?? at),
    merged: stories.flatMap(({ spec, control }) =>
      control.status === 'merged' ? [{ story: spec.id, title: spec.title, commit: control.commit }] : [],
    ),
    joined: stories.flatMap(({ spec, control }) =>
      control.status === 'joined' ? [{ story: spec.id, title: spec.title, commit: control.joinedAs }] : [],
    ),
    left: stories.flatMap(({ spec, control }) =>
      'reason' in control ? [{ story: spec.id, word: control.status, reason: control.reason }] : [],
    ),
    concerns: toldConcerns(state),
    ...knownOf(money.usd, uncountedIn(money)),
    tokens: money.tokens,
    turns: Object.values(money.entries).reduce((sum, entry) => sum + entry.turns, 0),
    next: nextActions(state, at),
  }
}
