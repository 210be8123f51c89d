import { takersOf, takersOfPlan } from '../agents/choice.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import { ceilingReached } from './money.ts'
import { uncountable } from './uncounted.ts'

/** The ceiling that keeps the delivery from going on, if one does: asked when nothing else is due. */
export function ceilingOf(state: DeliveryState): string | null {
  for (const story of storiesOf(state)) {
    const reached = ceilingFor(state, story.spec.id, takersOf(state, story))
    if (reached !== null) return reached
  }
  const isPlanned = state.plan.control.status !== 'drafting' && state.plan.control.status !== 'auditing'
  return isPlanned ? null : ceilingFor(state, null, takersOfPlan(state))
}

/** Why the next turn of this story (null: for the plan) may not start now, or null. */
function ceilingFor(state: DeliveryState, story: string | null, chain: { agent: string }[]): string | null {
  if (chain.length === 0) return null
  const { agents, ceilings } = policyOf(state)
  const { money } = state
  if (money.spentDay !== null) return money.spentDay.text
  const unknown = uncountable(policyOf(state), money)
  if (unknown !== null) return unknown
  const reached = chain.map(({ agent }) => {
    const ask = { story, usd: agents[agent]?.reserveUsd ?? 0 }
    return ceilingReached({ money, reserved: Object.values(money.reserved) }, ceilings, ask)
  })
  return reached.find((one) => one !== null) ?? null
}
