import type { StoryId } from '../../delivery/ids.ts'
import { carsOf, prefixesOf } from '../../delivery/line/course/cars.ts'
import { spanOf } from '../../delivery/line/train.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Judge, Step } from '../../delivery/step.ts'
import { acceptanceOf, isWaitedFor } from '../../delivery/story/course/acceptance.ts'
import { isOnLine, isSettled, type Respecifying, type StoryState } from '../../delivery/story/story.ts'
import { counted, joined, shortId, stepText } from '../step-text.ts'

/** What a story does or waits for right now, in a few words. */
export function storyDetail(state: DeliveryState, story: StoryState): string {
  const { control } = story
  if (control.status === 'proving') return trainDetail(state, story.spec.id)
  const started = Object.values(state.running).find((one) => one.step.story === story.spec.id)
  if (started !== undefined) return stepDetail(started.step)
  return (details[control.status] as (about: About<Status>) => string)({ state, story, control })
}

type Status = StoryState['control']['status']

interface About<S extends Status> {
  state: DeliveryState
  story: StoryState
  control: Extract<StoryState['control'], { status: S }>
}

const reasonGiven = ({ control }: { control: { reason: string } }): string => control.reason

const details: { [S in Exclude<Status, 'proving'>]: (about: About<S>) => string } = {
  waiting: ({ state, story }) => waitsFor(state, story),
  coding: ({ story: { phase, findings } }) => {
    if (findings.length > 0) return `sent back: ${counted(findings.length, 'finding')}`
    return phase === 'tests' ? 'its tests are to be written' : 'to be coded'
  },
  asking: ({ control }) => `asks: ${control.text}`,
  tidying: () => 'to be tidied',
  judging: () => 'to be judged',
  contested: () => 'waiting for you: may old tests change?',
  reviewing: ({ control }) =>
    control.stage === 'review' ? 'to be reviewed' : 'reviewers are asked about what others found',
  triaging: ({ control }) => `${counted(control.findings.length, 'finding')} to be sorted`,
  disputed: ({ control }) =>
    control.about === 'unverified'
      ? 'waiting for you: only one model reviewed this'
      : 'waiting for you: reviewers do not agree on what they found',
  reproducing: ({ control }) => `${counted(control.mend.length, 'finding')} to be tried with a test`,
  reviewed: ({ control, story }) =>
    control.verdict === 'approve' ? 'approved' : `needs work: ${counted(story.findings.length, 'finding')}`,
  held: () => 'until all other stories are done',
  gated: () => 'waiting for your approval',
  composing: ({ control: { misfit } }) =>
    misfit === null ? 'in the queue for the line' : `conflicts with ${misfit.behind.join(', ')}: waits for the line`,
  joined: ({ control }) => `on the line as ${shortId(control.joinedAs)}`,
  merged: ({ control }) => `landed as ${shortId(control.commit)}`,
  respecifying: ({ control }) => `${respecWords(control)}: ${control.reason}`,
  respecified: ({ control }) => `waiting for you to approve its new specification: ${control.cause}`,
  'taken-over': ({ control }) => takenOver[control.stage] + control.path,
  split: ({ control }) => `into ${control.into.join(', ')}: ${control.reason}`,
  unclear: reasonGiven,
  escalated: reasonGiven,
  skipped: reasonGiven,
  failed: reasonGiven,
}

const respecWords = ({ as, departed }: Respecifying): string =>
  departed.length > 0 ? 'the planner will look at it again' : as === 'split' ? 'to be split' : 'to be specified anew'

const takenOver = {
  lending: 'its workspace is being prepared for you',
  theirs: 'a human works on it in ',
  harvesting: 'what you left is collected from ',
}

/** Beside the story's word, which says most of it already. */
function stepDetail(step: Step): string {
  if (step.verb === 'Judge') return `by ${step.judge}`
  if (step.verb === 'Review') return `by ${step.judge} (${step.agent})`
  if (step.verb === 'CodeStory' && step.findings.length === 0 && step.phase !== 'tests') return ''
  return step.verb === 'TidyStory' || step.verb === 'ComposeLine' ? '' : stepText(step)
}

function waitsFor(state: DeliveryState, story: StoryState): string {
  if (state.plan.control.status === 'proposed') return 'for your approval of the plan'
  if (isWaitedFor(state, story)) return `after the tests of ${acceptanceOf(state)?.spec.id}`
  const missing = story.spec.dependsOn.filter((id) => !isOnLine(state.stories[id]!))
  if (missing.length > 0) return `after ${missing.join(', ')}`
  const sharing = story.after.filter((id) => !isSettled(state.stories[id]!))
  if (sharing.length > 0) return `after ${sharing.join(', ')} (same files)`
  const why = story.findings[0]?.message
  return why === undefined ? 'to be coded' : `attempt ${story.attempt} is next: ${why}`
}

/** What the train does with one of its stories, in words that follow the story's name. */
function trainDetail(state: DeliveryState, id: StoryId): string {
  const names = carsOf(state).map(({ story }) => story.spec.id)
  const place = names.indexOf(id)
  const { proven, red } = spanOf(prefixesOf(state))
  if (state.stories[id]?.kind === 'acceptance') return 'joins the line, and runs on the result'
  if (place <= proven)
    return place === 0 ? 'proven, joins the line' : `proven, joins the line after ${names[place - 1]}`
  const suspects = names.slice(proven + 1, red + 1)
  if (place > red) return `waits until it is known which of ${joined(suspects, 'or')} is at fault`
  const judging = runningJudge(state, id)
  const together = names.slice(proven + 1, place + 1)
  if (judging !== null)
    return together.length === 1
      ? `by ${judging.judge}`
      : `proves ${joined(together, 'and')} together, by ${judging.judge}`
  if (red < names.length) return `one of ${joined(suspects, 'and')} is at fault: finding out which`
  const further = names.slice(place + 1).find((name) => runningJudge(state, name) !== null)
  if (further !== undefined) return `is being proven together with ${further}`
  return together.length === 1
    ? 'to be proven on the line'
    : `to be proven together with ${joined(together.slice(0, -1), 'and')}`
}

function runningJudge(state: DeliveryState, id: StoryId): Judge | null {
  for (const { step } of Object.values(state.running))
    if (step.verb === 'Judge' && step.scope === 'line' && step.story === id) return step
  return null
}
