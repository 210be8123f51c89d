import { auditorOf, plannerOf } from '../agents/choice.ts'
import { fits } from '../fits.ts'
import { isIntentSettled } from '../intent/meaning.ts'
import { isRefused } from '../judging/base.ts'
import type { Room } from '../room.ts'
import { admit } from '../room.ts'
import type { DeliveryState } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'

/** The planner's turn, while there is no valid plan, and the turn of who looks for what is wrong with it. */
export function dueForPlan(state: DeliveryState, room: Room): Step[] {
  if (isRefused(state) || !isIntentSettled(state.intent)) return []
  const isOfPlan = ({ verb }: Step) => verb === 'DraftPlan' || verb === 'AuditPlan'
  const running = Object.values(state.running).find(({ step }) => isOfPlan(step) && fits(state, step))
  if (running !== undefined) return [running.step]
  const step = nextTurn(state, room)
  return step !== null && admit(room, step) ? [step] : []
}

function nextTurn(state: DeliveryState, { moment }: Room): Step | null {
  const { control, revision, turns: turn } = state.plan
  const about = { story: null, base: state.line.tip, turn }
  if (control.status === 'drafting') {
    const planner = plannerOf(state, moment)
    const { feedback } = control
    return planner && identified({ verb: 'DraftPlan', ...planner, ...about, revision: revision + 1, feedback })
  }
  if (control.status !== 'auditing') return null
  const auditor = auditorOf(state, moment)
  return auditor && identified({ verb: 'AuditPlan', ...auditor, ...about, revision })
}
