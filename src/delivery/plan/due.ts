import { plannerOf } from '../agents/choice.ts'
import { fits } from '../fits.ts'
import { isIntentSettled } from '../intent/meaning.ts'
import type { Room } from '../room.ts'
import { admit } from '../room.ts'
import type { DeliveryState } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'

/** The planner's turn, while there is no valid plan. */
export function dueForPlan(state: DeliveryState, room: Room): Step[] {
  const { control, revision, turns } = state.plan
  if (control.status !== 'drafting' || !isIntentSettled(state.intent) || state.trouble !== null) return []
  const running = Object.values(state.running).find(({ step }) => step.verb === 'DraftPlan' && fits(state, step))
  if (running !== undefined) return [running.step]
  const planner = plannerOf(state, room.moment)
  if (planner === null) return []
  const step = identified({
    verb: 'DraftPlan',
    story: null,
    ...planner,
    base: state.line.tip,
    revision: revision + 1,
    turn: turns,
    feedback: control.feedback,
  })
  return admit(room, step) ? [step] : []
}
