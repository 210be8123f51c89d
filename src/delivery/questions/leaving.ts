import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import { nobodyAnswers } from '../story/coding.ts'
import { settleWithout } from '../story/ladder.ts'

/**
 * Nobody is there any more: what waits for somebody ends as if nobody had been there when it came up. Gates were asked
 * for and stay, and what a human has taken over is theirs.
 */
export function rethinkWaiting(state: DeliveryState): void {
  const { unattended, gates } = policyOf(state)
  if (!unattended) return
  const { control, oversize } = state.plan
  if (control.status === 'proposed' && gates === 'auto' && oversize.length > 0)
    state.plan.control = { status: 'faulted', problems: oversize }
  for (const story of storiesOf(state)) {
    const { control: now } = story
    if (now.status === 'escalated' || now.status === 'unclear')
      settleWithout(state, story, { status: 'failed', reason: now.reason })
    else nobodyAnswers(state, story)
  }
}
