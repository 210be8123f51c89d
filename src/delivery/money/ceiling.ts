import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import { rungOf } from '../story/ladder.ts'
import { ceilingReached } from './money.ts'

/** The ceiling that keeps the delivery from going on, if one does. */
export function ceilingOf(state: DeliveryState): string | null {
  for (const story of storiesOf(state)) {
    if (story.control.status !== 'waiting' && story.control.status !== 'coding') continue
    const agent = rungOf(policyOf(state), story)?.agent
    const reached = agent === undefined ? null : ceilingFor(state, story.spec.id, agent)
    if (reached !== null) return reached
  }
  const planner = policyOf(state).roles.planner[0]
  return state.plan.control.status === 'drafting' && planner !== undefined ? ceilingFor(state, null, planner) : null
}

/** Why the next turn of this story (null: the planner) may not start now, or null. */
function ceilingFor(state: DeliveryState, story: string | null, agent: string): string | null {
  const usd = policyOf(state).agents[agent]?.reserveUsd ?? 0
  const { money } = state
  return ceilingReached({ money, reserved: Object.values(money.reserved) }, policyOf(state), { story, usd })
}
