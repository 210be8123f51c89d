import type { Room } from '../room.ts'
import { admit } from '../room.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'

/** The planner's turn, while there is no valid plan. */
export function dueForPlan(state: DeliveryState, room: Room): Step[] {
  const { control, revision, turns } = state.plan
  const agent = policyOf(state).roles.planner[0]
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
  return admit(room, step) ? [step] : []
}
