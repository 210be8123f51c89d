import { type Plan, plainStory, type Story } from '../../plan/plan.ts'
import { type DeliveryState, policyOf, raiseConcern, storiesOf } from '../../state.ts'
import { freshStory, isOnLine, isSettled, type StoryState, workOf } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { refuel, settleWithout } from './attempts.ts'
import { runsSingleTests } from './ladder.ts'

/** The story that writes tests for the requirement as a whole, if there is one: the first of all. */
export function acceptanceOf({ order, stories }: DeliveryState): StoryState | null {
  const first = order[0] === undefined ? undefined : stories[order[0]]
  return first?.kind === 'acceptance' ? first : null
}

/** Whether the result must pass acceptance tests: they are on the line, and somebody can run them. */
export function isAccepted(state: DeliveryState): boolean {
  const story = acceptanceOf(state)
  const policy = policyOf(state)
  return story !== null && isOnLine(story) && policy.acceptance && runsSingleTests(policy)
}

/** What is put first into a plan that is proposed. */
export function acceptanceFor(state: DeliveryState, plan: Plan): StoryState[] {
  const policy = policyOf(state)
  if (!policy.acceptance) return []
  if (runsSingleTests(policy)) return [freshStory(acceptanceStory(plan), 'acceptance')]
  raiseConcern(state, 'there are no acceptance tests: no check can run single tests (`related`)')
  return []
}

const acceptanceStory = ({ stories }: Plan): Story =>
  plainStory({
    id: freeId(stories),
    title: 'Acceptance tests',
    description:
      'Tests for the requirement as a whole, through what its users see. They fail now, and pass when all stories are done.',
    criteria: stories.flatMap(({ criteria }) => criteria).slice(0, 50),
  })

function freeId(stories: Story[]): string {
  const taken = new Set(stories.map(({ id }) => id.toLowerCase()))
  let [id, number] = ['acceptance', 1]
  while (taken.has(id)) id = `acceptance-${++number}`
  return id
}

/** Others start when the tests are there, or will not be. */
export function isWaitedFor(state: DeliveryState, story: StoryState): boolean {
  const first = acceptanceOf(state)
  if (first === null || first === story) return false
  return !isSettled(first) && !isReady(first)
}

const isReady = ({ control: { status } }: StoryState): boolean =>
  status === 'held' || status === 'composing' || status === 'proving'

/** After anything has happened: the tests go onto the line when all others are settled, and not before. */
export function settleAcceptance(state: DeliveryState): void {
  const story = acceptanceOf(state)
  if (story === null || isOnLine(story)) return
  const { control } = story
  const others = storiesOf(state).filter((one) => one !== story)
  const open = others.some((one) => !isSettled(one))
  if (control.status === 'held' && !open) release(state, story, others)
  else if ((control.status === 'composing' || control.status === 'proving') && open)
    moveStory(story, 'held', workOf(control))
  else if (control.status === 'skipped' && control.because !== null && open) refuel(state, story)
}

function release(state: DeliveryState, story: StoryState, others: StoryState[]): void {
  if (story.control.status !== 'held') return
  if (others.some(isOnLine)) {
    story.queue = 1 + Math.max(...others.map(({ queue }) => queue), story.queue)
    moveStory(story, 'queued', { ...workOf(story.control), misfit: null })
    return
  }
  // Because of itself: so it comes back with any other story, and not with the first that is retried.
  const reason = 'nothing is on the line on which they could be run'
  settleWithout(state, story, { status: 'skipped', reason, because: story.spec.id })
}

/** Under other settings nobody may want them any more, or can run them. */
export function rethinkAcceptance(state: DeliveryState): void {
  const story = acceptanceOf(state)
  const policy = policyOf(state)
  const isMade = state.order.length > 0 && state.request?.review === null
  if (story === null && policy.acceptance && runsSingleTests(policy) && isMade)
    raiseConcern(state, 'there are no acceptance tests: the plan was proposed without them')
  if (story === null || isSettled(story) || (policy.acceptance && runsSingleTests(policy))) return
  const reason = policy.acceptance ? 'no check can run single tests any more' : 'the settings ask for none any more'
  settleWithout(state, story, { status: 'skipped', reason, because: null })
}
