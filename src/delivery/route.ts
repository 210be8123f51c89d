import { settleTrain } from './line/course/cars.ts'
import { settleDepartures } from './plan/course/departures.ts'
import { settleReviews } from './review/course/settling.ts'
import type { DeliveryState } from './state.ts'
import { storiesOf } from './state.ts'
import { settleAcceptance } from './story/course/acceptance.ts'

/** One rule for each machine that can go on because another has: it finds in the facts what it waits for. */
const rules: ((state: DeliveryState) => void)[] = [settleReviews, settleAcceptance, settleTrain, settleDepartures]

/** Longer than any chain of them: a story that is sent round and round is a bug of ours. */
const mostPasses = 1_000

/** After anything has happened: whatever follows for others, until nothing does. */
export function route(state: DeliveryState): void {
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = storiesOf(state).map(({ control }) => control)
    for (const follow of rules) follow(state)
    const stories = storiesOf(state)
    if (stories.length === before.length && stories.every(({ control }, place) => control === before[place])) return
  }
  throw new Error(`broken invariant: after ${mostPasses} passes stories of ${state.id} still move each other`)
}
