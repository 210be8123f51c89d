import { never } from '../std/never.ts'
import { completion, quarantine } from './completion.ts'
import { openQuestions, unaskedQuestions } from './questions/due.ts'
import type { DeliveryState } from './state.ts'
import { storiesOf } from './state.ts'
import type { CompleteDelivery, Judge, Step } from './step.ts'
import type { StoryControl } from './story/story.ts'
import { isSettled } from './story/story.ts'

/** Whether a step is still wanted as it stands. One that a human or the line has overtaken has no outcome for us. */
export function fits(state: DeliveryState, step: Step): boolean {
  if (step.verb === 'Judge' && step.policy !== state.policyHash) return false
  if (step.verb === 'AskQuestion') return unaskedQuestions(state).some(({ id }) => id === step.question.id)
  if (step.verb === 'CloseQuestion') return openQuestions(state).some(({ id }) => id === step.question)
  if (step.story === null) return fitsDelivery(state, step)
  const story = state.stories[step.story]
  if (story === undefined) return false
  const { control } = story
  switch (step.verb) {
    case 'CodeStory':
      return control.status === 'coding' && step.turn === story.turn && step.attempt === story.attempt
    case 'TidyStory':
      return control.status === 'tidying' && control.commit === step.commit && step.attempt === story.attempt
    case 'Judge':
      return judgeFits(control, step)
    case 'ComposeLine':
      return control.status === 'composing' && control.commit === step.commit && step.onto === state.line.tip
    case 'AdvanceLine':
      return control.status === 'proving' && control.composed.commit === step.to && step.from === state.line.tip
    default:
      never(step)
  }
}

function judgeFits(control: StoryControl, { scope, commit, retry }: Judge): boolean {
  if (scope === 'story') return control.status === 'judging' && control.commit === commit && control.retry === retry
  return control.status === 'proving' && control.composed.commit === commit && control.retry === retry
}

/** Steps of the delivery as a whole. A landing that has begun is never overtaken. */
function fitsDelivery(state: DeliveryState, step: Step): boolean {
  switch (step.verb) {
    case 'DraftPlan':
      return state.plan.control.status === 'drafting' && state.plan.turns === step.turn
    case 'Judge':
      return state.line.commits.at(-1)?.commit === step.commit && storiesOf(state).every(isSettled)
    case 'CompleteDelivery':
      return isStillTheEnd(state, step)
    default:
      return true
  }
}

function isStillTheEnd(state: DeliveryState, { id, result }: CompleteDelivery): boolean {
  const { mode } = state
  if (result === 'crashed') return quarantine(state)?.id === id
  if (mode.status === 'stopping') return completion(state, 'stopped', mode.reason).id === id
  return completion(state, null, '').id === id
}
