import { never } from '../std/never.ts'
import type { DeliveryEvent } from './events.ts'
import { unansweredText } from './questions/delivery.ts'
import { seatsOf } from './review/course/seats.ts'
import type { DeliveryState } from './state.ts'
import { policyOf, storiesOf } from './state.ts'
import { identified, type Result, type Step } from './step.ts'
import type { StoryState } from './story/story.ts'
import { isSettled } from './story/story.ts'
import { ceilingOf, nobodyLeft } from './takers.ts'

/** The step that ends the delivery, with the result that the facts give unless one is named. */
export function completion(state: DeliveryState, result: Result | null, reason: string): Step {
  const found = result === null ? resultOf(state) : { result, reason }
  return identified({
    verb: 'CompleteDelivery',
    story: null,
    result: found.result,
    reason: found.reason || reason,
    concerns: concernsOf(state),
  })
}

export const unreviewed = 'no reviewer looked at it (review.reviewers is empty)'

/** What is told at the end: what was raised on the way, and that nobody has looked at what was merged. */
function concernsOf(state: DeliveryState): string[] {
  const unseen = storiesOf(state).filter(
    ({ kind, control, review }) => kind === 'story' && control.status === 'merged' && review.approved === null,
  )
  if (unseen.length === 0) return [...state.concerns]
  const nobody = seatsOf(policyOf(state)).length === 0
  const told = nobody ? unreviewed : `no reviewer looked at ${unseen.map(({ spec }) => spec.id).join(', ')}`
  return [...state.concerns, told]
}

/** Nothing has happened since that could make another end of it: nobody said anything, and nothing new is to be told. */
export function endingWith(
  { ending, mode, concerns }: DeliveryState,
  event: DeliveryEvent,
  heard: number,
): string | null {
  if (mode.status === 'ended') return null
  if (event.type === 'StepStarted' && event.step.verb === 'CompleteDelivery') return event.step.id
  const isQuiet = 'step' in event || event.type === 'WorkArchived'
  return isQuiet && concerns.length === heard ? ending : null
}

/** Our own process died too often inside one step: it will not be started once more by itself. */
export function quarantine(state: DeliveryState): Step | null {
  if (state.policy === null) return null
  const limit = state.policy.limits.lostStartsPerStep
  const started = Object.values(state.running).find(
    ({ lost, step }) => lost >= limit && step.verb !== 'CompleteDelivery',
  )
  if (started === undefined) return null
  const { verb, story } = started.step
  const where = story === null ? verb : `${verb} of ${story}`
  return completion(state, 'crashed', `Ropewalk itself died ${limit} times during ${where}`)
}

function resultOf(state: DeliveryState): { result: Result; reason: string } {
  const early = endedEarly(state)
  if (early !== null) return early
  const stories = storiesOf(state)
  if (stories.length === 0) return { result: 'blocked', reason: 'there is no plan, and no planner to draft one' }
  const failed = stories.filter((story) => story.control.status === 'failed')
  if (failed.length > 0)
    return { result: 'blocked', reason: `failed: ${failed.map((story) => story.spec.id).join(', ')}` }
  const refused = stories.find(({ control }) => control.status === 'reviewed' && control.verdict === 'needs-work')
  if (refused !== undefined) return { result: 'blocked', reason: `it needs work: ${refused.findings[0]?.message}` }
  const skipped = stories.filter((story) => story.control.status === 'skipped')
  if (stories.every(({ control }) => control.status === 'skipped' || control.status === 'split'))
    return { result: 'blocked', reason: 'every story was skipped' }
  const open = stories.find((story) => !isSettled(story))
  if (open !== undefined) return { result: 'blocked', reason: `no agent can continue ${open.spec.id}` }
  if (state.line.landing.status === 'waiting')
    return { result: 'blocked', reason: `the result is proven, but not merged: ${state.line.landing.message}` }
  if (state.line.landing.status === 'left')
    return { result: 'done-with-concerns', reason: 'the result was not merged, as you asked' }
  if (skipped.length > 0) {
    return { result: 'done-with-concerns', reason: `skipped: ${skipped.map(skippedText).join(', ')}` }
  }
  return { result: concernsOf(state).length > 0 ? 'done-with-concerns' : 'done', reason: '' }
}

const skippedText = ({ control, spec }: StoryState): string =>
  control.status === 'skipped' && control.unanswered === true ? `${spec.id} (nobody answered in time)` : spec.id

function endedEarly(state: DeliveryState): { result: Result; reason: string } | null {
  const { control } = state.plan
  switch (control.status) {
    case 'rejected':
      return { result: 'blocked', reason: `the plan was rejected: ${control.feedback}` }
    case 'faulted':
      return { result: 'blocked', reason: `the planner gave no valid plan: ${control.problems.join('; ')}` }
    case 'drafting':
    case 'auditing':
    case 'proposed':
    case 'approved':
      break
    default:
      never(control)
  }
  if (state.trouble !== null) return { result: 'blocked', reason: `${state.trouble.message} (${state.trouble.remedy})` }
  const nobody = nobodyLeft(state)
  if (nobody !== null) return { result: 'blocked', reason: `${nobody.message} (${nobody.remedy})` }
  const ceiling = ceilingOf(state)
  if (ceiling !== null) return { result: 'budget', reason: `the ceiling is reached: ${ceiling}` }
  const open = control.status === 'drafting' ? unansweredText(state) : null
  if (open !== null) return { result: 'blocked', reason: open }
  const unfinished = control.status === 'drafting' || !storiesOf(state).every(isSettled)
  if (unfinished && state.agentStarts >= policyOf(state).limits.agentStartsPerDelivery) {
    return {
      result: 'blocked',
      reason: `${state.agentStarts} agent starts were not enough (limits.agentStartsPerDelivery)`,
    }
  }
  if (state.line.whole === null) return null
  return {
    result: 'blocked',
    reason: `the result as a whole is not proven: ${state.line.whole.findings[0]?.message ?? state.line.whole.silence}`,
  }
}
