import { never } from '../std/never.ts'
import { openQuestions, unaskedQuestions } from './questions/due.ts'
import type { DeliveryState } from './state.ts'
import type { Judge, Step } from './step.ts'
import type { StoryControl } from './story/story.ts'

/** Whether a step is still wanted as it stands. One that a human or the line has overtaken has no outcome for us. */
export function fits(state: DeliveryState, step: Step): boolean {
  if (step.verb === 'Judge' && step.policy !== state.policyHash) return false
  if (step.verb === 'AskQuestion') return unaskedQuestions(state).some(({ id }) => id === step.question.id)
  if (step.verb === 'CloseQuestion') return openQuestions(state).some(({ id }) => id === step.question)
  if (step.story === null) return true
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
