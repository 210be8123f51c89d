import type { Reducers } from '../../shared/reducing.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import type { Step } from '../../step.ts'
import { conclude } from '../deciding/conclude.ts'
import { isTakenAsItStands, pendingOf } from '../deciding/course.ts'
import type { IntentOutcome } from '../events.ts'
import type { Seat } from '../interpretation.ts'
import { isIntentSettled } from '../meaning.ts'
import { askedOrSettled, takenAsItStands } from './settle.ts'

/** A record is added, and where it stands follows from all of them. */
const followed =
  <E extends IntentOutcome>(record: (state: DeliveryState, event: E, given: { step: Step }) => void): typeof record =>
  (state, event, given) => {
    record(state, event, given)
    followIntent(state)
  }

/** What is meant becomes clearer. */
export const intentReducers: Reducers<IntentOutcome, { step: Step }> = {
  ContextHarvested: followed(({ intent }, { context }) => {
    intent.context = context
  }),
  RequirementRead: followed(({ intent }, { interpretation, quality }, { step }) => {
    if (step.verb !== 'ReadRequirement') return
    const { agent, model } = step
    intent.asked += 1
    intent.words[step.seat] = { status: 'read', interpretation, quality, agent, model }
  }),
  ReadingFaulted: followed(({ intent }, { problems }, { step }) => {
    if (step.verb !== 'ReadRequirement') return
    intent.asked += 1
    faulted(intent, step.seat, problems)
  }),
  AssumptionsChecked: followed(({ intent }, { checked }, { step }) => {
    if (step.verb === 'CheckAssumptions') intent.checked[step.seat] = checked
  }),
  ExamplesTried: followed(({ intent }, { seat, tried }) => {
    intent.tried[seat] = tried
  }),
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

/** Asked once more with what was wrong, then counted as absent. */
function faulted({ words, faults }: DeliveryState['intent'], seat: Seat, problems: string[]): void {
  if (faults[seat] === undefined) faults[seat] = problems
  else words[seat] = { status: 'absent', problems }
}
