import type { StoryId } from '../../delivery/ids.ts'
import { carsOf, prefixesOf } from '../../delivery/line/course/cars.ts'
import { spanOf } from '../../delivery/line/train.ts'
import type { DeliveryState } from '../../delivery/state.ts'
import type { Judge, Step } from '../../delivery/step.ts'
import { acceptanceOf, isWaitedFor } from '../../delivery/story/course/acceptance.ts'
import { isOnLine, isSettled, type Respecifying, type StoryState } from '../../delivery/story/story.ts'
import { never } from '../../std/never.ts'
import { counted, shortId, stepText } from '../step-text.ts'

/** What a story does or waits for right now, in a few words. */
export function storyDetail(state: DeliveryState, story: StoryState): string {
  if (story.control.status === 'proving') return trainDetail(state, story.spec.id)
  const started = Object.values(state.running).find((one) => one.step.story === story.spec.id)
  if (started !== undefined) return stepDetail(started.step)
  const { control } = story
  switch (control.status) {
    case 'waiting':
      return waitsFor(state, story)
    case 'coding':
      if (story.phase === 'tests' && story.findings.length === 0) return 'its tests are to be written'
      return story.findings.length === 0 ? 'to be coded' : `sent back: ${counted(story.findings.length, 'finding')}`
    case 'asking':
      return `asks: ${control.text}`
    case 'tidying':
      return 'to be tidied'
    case 'judging':
      return 'to be judged'
    case 'contested':
      return 'waits for a word on whether old tests may change'
    case 'reviewing':
      return control.stage === 'review' ? 'to be reviewed' : 'reviewers are asked about what others found'
    case 'triaging':
      return `${counted(control.findings.length, 'finding')} to be sorted`
    case 'disputed':
      return control.about === 'unverified'
        ? 'waits for a word on whether one model will do'
        : 'waits for a word on what reviewers found'
    case 'reproducing':
      return `${counted(control.mend.length, 'finding')} to be tried by a test`
    case 'reviewed':
      return control.verdict === 'approve' ? 'approved' : `needs work: ${counted(story.findings.length, 'finding')}`
    case 'held':
      return 'for all others, to be run on their result'
    case 'gated':
      return 'waits for a yes'
    case 'composing':
      if (control.misfit !== null) return `conflicts with ${control.misfit.behind.join(', ')}: waits for the line`
      return 'in the queue for the line'
    case 'joined':
      return `on the line as ${shortId(control.joinedAs)}`
    case 'merged':
      return `landed as ${shortId(control.commit)}`
    case 'respecifying':
      return `${respecWords(control)}: ${control.reason}`
    case 'respecified':
      return `waits for a yes to its new specification: ${control.cause}`
    case 'taken-over':
      return takenOver[control.stage] + control.path
    case 'split':
      return `into ${control.into.join(', ')}: ${control.reason}`
    case 'unclear':
    case 'escalated':
    case 'skipped':
    case 'failed':
      return control.reason
    default:
      return never(control)
  }
}

const respecWords = ({ as, departed }: Respecifying): string =>
  departed.length > 0 ? 'the planner is to look again' : as === 'split' ? 'to be split' : 'to be specified anew'

const takenOver = {
  lending: 'its workspace is made ready for a human',
  theirs: 'a human works on it in ',
  harvesting: 'what the human left is taken from ',
}

/** Beside the story's word, which says most of it already. */
function stepDetail(step: Step): string {
  if (step.verb === 'Judge') return `by ${step.judge}`
  if (step.verb === 'Review') return `by ${step.judge} (${step.agent})`
  if (step.verb === 'CodeStory' && step.findings.length === 0 && step.phase !== 'tests') return ''
  return step.verb === 'TidyStory' || step.verb === 'ComposeLine' ? '' : stepText(step)
}

function waitsFor(state: DeliveryState, story: StoryState): string {
  if (state.plan.control.status === 'proposed') return 'for a yes to the plan'
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
  if (state.stories[id]?.kind === 'acceptance') return 'joins the line, to be run on the result'
  if (place <= proven)
    return place === 0 ? 'proven, joins the line' : `proven, joins the line after ${names[place - 1]}`
  const suspects = names.slice(proven + 1, red + 1)
  if (place > red) return `waits until it is known which of ${listed(suspects, 'or')} is at fault`
  const judging = runningJudge(state, id)
  const together = names.slice(proven + 1, place + 1)
  if (judging !== null)
    return together.length === 1
      ? `by ${judging.judge}`
      : `proves ${listed(together, 'and')} together, by ${judging.judge}`
  if (red < names.length) return `one of ${listed(suspects, 'and')} is at fault: it is being found out`
  const further = names.slice(place + 1).find((name) => runningJudge(state, name) !== null)
  if (further !== undefined) return `is being proven together with ${further}`
  return together.length === 1
    ? 'to be proven on the line'
    : `to be proven together with ${listed(together.slice(0, -1), 'and')}`
}

function runningJudge(state: DeliveryState, id: StoryId): Judge | null {
  for (const { step } of Object.values(state.running))
    if (step.verb === 'Judge' && step.scope === 'line' && step.story === id) return step
  return null
}

/** `a`, `a and b`, `a, b and c`. */
const listed = (names: string[], word: string): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`
