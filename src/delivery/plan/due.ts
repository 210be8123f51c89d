import { ceilingFor } from '../money/ceiling.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'

/** The planner's turn, while there is no valid plan. */
export function dueForPlan(state: DeliveryState): Step[] {
  const { control, revision, turns } = state.plan
  const { roles, limits } = policyOf(state)
  const agent = roles.planner[0]
  if (control.status !== 'drafting' || agent === undefined || state.trouble !== null) return []
  const step = identified({
    verb: 'DraftPlan',
    story: null,
    agent,
    base: state.line.tip,
    revision: revision + 1,
    turn: turns,
    feedback: control.feedback,
  })
  if (state.running[step.id] !== undefined) return [step]
  const spent = state.agentStarts >= limits.agentStartsPerDelivery || ceilingFor(state, null, agent) !== null
  return spent ? [] : [step]
}
