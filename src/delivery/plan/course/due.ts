import { isIntentSettled } from '../../intent/meaning.ts'
import { isRefused } from '../../shared/base.ts'
import { auditorOf, plannerOf } from '../../shared/choosing.ts'
import type { Room } from '../../shared/room.ts'
import { admit } from '../../shared/room.ts'
import { identified } from '../../shared/step-id.ts'
import type { DeliveryState } from '../../state.ts'
import type { DraftPlan, Step } from '../../step.ts'
import type { AuditPlan } from '../steps.ts'

/** The planner's turn, while there is no valid plan, and the turn of who looks for what is wrong with it. */
export function dueForPlan(state: DeliveryState, room: Room): Step[] {
  if (isRefused(state) || !isIntentSettled(state.intent)) return []
  const isOfPlan = (step: Step): step is DraftPlan | AuditPlan => step.verb === 'DraftPlan' || step.verb === 'AuditPlan'
  const running = Object.values(state.running).find(({ step }) => isOfPlan(step) && isDraftWanted(state, step))
  if (running !== undefined) return [running.step]
  const step = nextTurn(state, room)
  return step !== null && admit(room, step) ? [step] : []
}

export const isDraftWanted = ({ plan }: DeliveryState, { verb, turn }: DraftPlan | AuditPlan): boolean =>
  plan.control.status === (verb === 'DraftPlan' ? 'drafting' : 'auditing') && plan.turns === turn

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
