import { never } from '../../std/never.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, raiseConcern } from '../state.ts'
import type { Step } from '../step.ts'
import { conclude } from './deciding/conclude.ts'
import { isTakenAsItStands, pendingOf } from './deciding/course.ts'
import type { IntentOutcome } from './events.ts'
import type { Seat } from './interpretation.ts'
import { isIntentSettled } from './meaning.ts'
import { askedOrSettled, takenAsItStands } from './settle.ts'

/** What is meant becomes clearer: a record is added, and where it stands follows from all of them. */
export function evolveIntent(state: DeliveryState, event: IntentOutcome, step: Step): void {
  recorded(state, event, step)
  followIntent(state)
}

/** Also when other settings hold: what is not wanted any more is left out, what is settled stays so. */
export function followIntent(state: DeliveryState): void {
  const { intent } = state
  if (isIntentSettled(intent) || state.plan.control.status !== 'drafting') return
  const policy = policyOf(state)
  const pending = pendingOf(intent, policy)
  if (pending !== null) {
    intent.control = pending
    return
  }
  if (isTakenAsItStands(policy)) return takenAsItStands(state)
  const conclusion = conclude(intent, policy)
  for (const concern of conclusion.concerns) raiseConcern(state, concern)
  askedOrSettled(state, conclusion)
}

function recorded({ intent }: DeliveryState, event: IntentOutcome, step: Step): void {
  switch (event.type) {
    case 'ContextHarvested':
      intent.context = event.context
      return
    case 'RequirementRead': {
      if (step.verb !== 'ReadRequirement') return
      const { agent, model } = step
      const { interpretation, quality } = event
      intent.asked += 1
      intent.words[step.seat] = { status: 'read', interpretation, quality, agent, model }
      return
    }
    case 'ReadingFaulted':
      if (step.verb !== 'ReadRequirement') return
      intent.asked += 1
      return faulted(intent, step.seat, event.problems)
    case 'AssumptionsChecked':
      if (step.verb !== 'CheckAssumptions') return
      intent.checked[step.seat] = event.checked
      return
    case 'ExamplesTried':
      intent.tried[event.seat] = event.tried
      return
    default:
      never(event)
  }
}

/** Asked once more with what was wrong, then counted as absent. */
function faulted({ words, faults }: DeliveryState['intent'], seat: Seat, problems: string[]): void {
  if (faults[seat] === undefined) faults[seat] = problems
  else words[seat] = { status: 'absent', problems }
}
