import { never } from '../std/never.ts'
import { completion, quarantine } from './completion.ts'
import { fitsIntent } from './intent/deciding/course.ts'
import { baseStep, isRefused, isStopped } from './judging/base.ts'
import { isProven } from './judging/judging.ts'
import { isTipInDoubt, isToBeProven, prefixesOf, topOf } from './merging/cars.ts'
import { dueMending } from './merging/mending.ts'
import { spanOf } from './merging/train.ts'
import type { HarvestStory, LendWorkspace } from './plan/steps.ts'
import { openQuestions, unaskedQuestions } from './questions/due.ts'
import { reviewFits } from './review/course/fits.ts'
import type { DeliveryState } from './state.ts'
import { storiesOf } from './state.ts'
import type { CodeStory, CompleteDelivery, ComposeLine, Judge, Review, Step } from './step.ts'
import type { StoryControl, StoryState } from './story/story.ts'
import { forCoder, isSettled } from './story/story.ts'

/** Whether a step is still wanted as it stands. One that a human or the line has overtaken has no outcome for us. */
export function fits(state: DeliveryState, step: Step): boolean {
  if ((step.verb === 'Judge' || step.verb === 'Review') && step.policy !== state.policyHash) return false
  // What one of them has met the others will meet.
  if (step.verb === 'Judge' && isStopped(state)) return false
  // Another trouble may have come before the first was asked about: that question is nobody's any more.
  if (step.verb === 'AskQuestion')
    return unaskedQuestions(state).some(({ id, text }) => id === step.question.id && text === step.question.text)
  if (step.verb === 'CloseQuestion') return openQuestions(state).some(({ id }) => id === step.question)
  if (step.story === null) return fitsDelivery(state, step)
  const story = state.stories[step.story]
  if (story === undefined) return false
  const { control } = story
  switch (step.verb) {
    case 'CodeStory':
      return codingFits(story, step)
    case 'TidyStory':
      return control.status === 'tidying' && control.commit === step.commit && step.attempt === story.attempt
    case 'Judge':
      return step.scope === 'story' ? judgeFits(control, step) : isToBeProven(state, step)
    case 'Review':
      return judgeFits(control, step)
    case 'ReviewStory':
    case 'TriageFindings':
    case 'ReproduceFindings':
      return reviewFits(state, step)
    case 'RespecifyStory':
      return control.status === 'respecifying' && control.as === step.as && story.respecs === step.turn
    case 'LendWorkspace':
    case 'HarvestStory':
      return workspaceFits(story, step)
    case 'ComposeLine':
      return composeFits(state, control, step)
    case 'AdvanceLine':
      return control.status === 'proving' && control.composed.commit === step.to && step.from === state.line.tip
    default:
      never(step)
  }
}

/** With other agents than the ladder names as well; not when the coder is to hear something else. */
function codingFits(story: StoryState, { turn, attempt, findings, phase }: CodeStory): boolean {
  if (story.phase !== phase) return false
  if (story.control.status !== 'coding' || turn !== story.turn || attempt !== story.attempt) return false
  const wanted = forCoder(story)
  return wanted.length === findings.length && wanted.every((one, i) => one.fingerprint === findings[i]!.fingerprint)
}

const workspaceFits = ({ control, attempt, turn }: StoryState, step: LendWorkspace | HarvestStory): boolean =>
  control.status === 'taken-over' &&
  control.stage === (step.verb === 'LendWorkspace' ? 'lending' : 'harvesting') &&
  [attempt, turn].join() === [step.attempt, step.turn].join()

const judgeFits = (control: StoryControl, { commit, retry }: Judge | Review): boolean =>
  control.status === 'judging' && control.commit === commit && control.retry === retry

/** Not onto a train that will be uncoupled. */
function composeFits(state: DeliveryState, control: StoryControl, { commit, onto }: ComposeLine): boolean {
  if (control.status !== 'composing' || control.commit !== commit || onto !== topOf(state)) return false
  if (control.misfit !== null) return false
  return spanOf(prefixesOf(state)).red === state.line.train.length
}

/** Steps of the delivery as a whole. A landing that has begun is never overtaken. */
function fitsDelivery(state: DeliveryState, step: Step): boolean {
  switch (step.verb) {
    case 'TryBase':
      return baseStep(state)?.id === step.id
    case 'AuditPlan':
      return state.plan.control.status === 'auditing' && state.plan.turns === step.turn
    case 'DraftPlan':
      return state.plan.control.status === 'drafting' && state.plan.turns === step.turn
    case 'HarvestContext':
    case 'ReadRequirement':
    case 'CheckAssumptions':
    case 'TryExamples':
      // Several may read at once: when the world refuses one of them, nobody goes on.
      return state.plan.control.status === 'drafting' && !isRefused(state) && fitsIntent(state.intent, step)
    case 'Judge':
      return wholeFits(state, step)
    case 'AddFixStory':
      return dueMending(state)?.commit === step.commit
    case 'CompleteDelivery':
      return isStillTheEnd(state, step)
    default:
      return true
  }
}

/** A word on the tip is wanted when all are settled, or when the tip may be why what is on top of it is red. */
function wholeFits(state: DeliveryState, { commit, tree, judge, retry }: Judge): boolean {
  const { line } = state
  if (line.commits.at(-1)?.commit !== commit || line.silences !== retry || isProven(state, tree, judge)) return false
  return storiesOf(state).every(isSettled) || isTipInDoubt(state)
}

/** What was the end when it began is the end, in whatever words we would say it now. */
function isStillTheEnd(state: DeliveryState, { id, result }: CompleteDelivery): boolean {
  const { mode } = state
  if (state.ending === id) return true
  if (result === 'crashed') return quarantine(state)?.id === id
  if (mode.status === 'stopping') return completion(state, 'stopped', mode.reason).id === id
  return completion(state, null, '').id === id
}
