import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { Step } from '../../step.ts'
import { openSeats } from '../seats.ts'

/** Whether a word of a reviewer, a triager or a test of findings is still wanted. */
export function reviewFits(state: DeliveryState, step: Step): boolean {
  if (step.verb !== 'ReviewStory' && step.verb !== 'TriageFindings' && step.verb !== 'ReproduceFindings') return false
  const story = state.stories[step.story]
  if (story === undefined || step.reviewRound !== story.review.round) return false
  const { control } = story
  switch (control.status) {
    case 'reviewing': {
      if (step.verb !== 'ReviewStory' || control.retry !== step.retry || control.commit !== step.commit) return false
      const isRebuttal = control.stage === 'rebuttal'
      if (isRebuttal !== step.rebuts.length > 0) return false
      return openSeats(policyOf(state), story).some(({ vantage }) => vantage === step.vantage)
    }
    case 'triaging':
      return step.verb === 'TriageFindings' && control.retry === step.retry && control.commit === step.commit
    case 'reproducing':
      return step.verb === 'ReproduceFindings' && control.commit === step.commit
    default:
      return false
  }
}
