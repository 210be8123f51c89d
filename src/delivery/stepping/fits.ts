import { completion, quarantine } from '../completion.ts'
import { isIntentWanted } from '../intent/course/due.ts'
import { isToBeComposed, isToBeProven, isWholeWanted } from '../line/course/cars.ts'
import { dueMending } from '../line/course/merging.ts'
import { isDraftWanted } from '../plan/course/planning.ts'
import { openQuestions, unaskedQuestions } from '../questions/due.ts'
import { reviewFits } from '../review/course/due.ts'
import { baseStep, isStopped } from '../shared/room.ts'
import type { DeliveryState } from '../state.ts'
import type { CompleteDelivery, Judge, Step, Verb } from '../step.ts'
import { isJudgeWanted, isTurnWanted, isWorkspaceWanted } from '../story/course/due.ts'

/** Whether a step is still wanted as it stands. One that a human or the line has overtaken has no outcome for us. */
export function fits(state: DeliveryState, step: Step): boolean {
  const isWanted = wanted[step.verb] as (state: DeliveryState, step: Step) => boolean
  return isWanted(state, step)
}

const wanted: { [V in Verb]: (state: DeliveryState, step: Extract<Step, { verb: V }>) => boolean } = {
  HarvestContext: isIntentWanted,
  ReadRequirement: isIntentWanted,
  CheckAssumptions: isIntentWanted,
  TryExamples: isIntentWanted,
  TryBase: (state, { id }) => baseStep(state)?.id === id,
  DraftPlan: isDraftWanted,
  AuditPlan: isDraftWanted,
  // Another trouble may have come before the first was asked about: that question is nobody's any more.
  AskQuestion: (state, { question }) =>
    unaskedQuestions(state).some(({ id, text }) => id === question.id && text === question.text),
  CloseQuestion: (state, { question }) => openQuestions(state).some(({ id }) => id === question),
  CodeStory: isTurnWanted,
  TidyStory: ({ stories }, { story: id, commit, attempt }) => {
    const story = stories[id]
    return story?.control.status === 'tidying' && story.control.commit === commit && story.attempt === attempt
  },
  Judge: isVerdictWanted,
  Review: isJudgeWanted,
  ReviewStory: reviewFits,
  TriageFindings: reviewFits,
  ReproduceFindings: reviewFits,
  RespecifyStory: isTurnWanted,
  LendWorkspace: isWorkspaceWanted,
  HarvestStory: isWorkspaceWanted,
  ComposeLine: isToBeComposed,
  AdvanceLine({ line, stories }, { story, from, to }) {
    const control = stories[story]?.control
    return control?.status === 'proving' && control.composed.commit === to && from === line.tip
  },
  // A landing that has begun is never overtaken.
  Land: () => true,
  AddFixStory: (state, { commit }) => dueMending(state)?.commit === commit,
  CompleteDelivery: isStillTheEnd,
}

/** If the machine is at fault, every judge would meet the same fault. */
function isVerdictWanted(state: DeliveryState, step: Judge): boolean {
  if (isStopped(state) || step.policy !== state.policyHash) return false
  if (step.story === null) return isWholeWanted(state, step)
  return step.scope === 'story' ? isJudgeWanted(state, step) : isToBeProven(state, step)
}

/** The end that was due when the step began stays the end, even if its wording has changed. */
function isStillTheEnd(state: DeliveryState, { id, result }: CompleteDelivery): boolean {
  const { mode } = state
  if (state.ending === id) return true
  if (result === 'crashed') return quarantine(state)?.id === id
  if (mode.status === 'stopping') return completion(state, 'stopped', mode.reason).id === id
  return completion(state, null, '').id === id
}
