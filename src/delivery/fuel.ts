import type { Limits } from './policy.ts'
import { openQuestions } from './questions/due.ts'
import type { DeliveryState } from './state.ts'
import { policyOf, storiesOf } from './state.ts'
import type { StoryState } from './story/story.ts'

/** Falls with each outcome; only a human refuels. So every loop ends. */
export function fuel(state: DeliveryState): number {
  if (state.mode.status === 'ended' || state.policy === null) return 0
  const { limits, judges } = policyOf(state)
  const turnWeight = turnCost(limits, judges.length)
  const stories = storiesOf(state).reduce((sum, story) => sum + storyFuel(state, story, turnWeight), 0)
  const perLanding = 1 + state.order.length * turnWeight
  const landingsLeft = Math.max(0, limits.landings - state.line.landings)
  const planLeft =
    planFuel(state) * (1 + limits.storiesPerPlan * turnWeight * (limits.turnsPerStory + 2)) * (limits.landings + 1)
  return 1 + planLeft + landingsLeft * perLanding + stories + tail(state)
}

/** More than anything that one coding turn can set going. */
const turnCost = (limits: Limits, judges: number): number =>
  16 + limits.parksPerStory + (2 * judges + 2) * (limits.judgeRetries + 2)

function storyFuel(state: DeliveryState, story: StoryState, turnWeight: number): number {
  const { limits, judges } = policyOf(state)
  const turnsLeft = Math.max(0, limits.turnsPerStory - (story.turn - story.tally.turnsBefore))
  const parksLeft = Math.max(0, limits.parksPerStory + 1 - story.tally.parks)
  const perJudge = limits.judgeRetries + 2
  return turnsLeft * turnWeight + rank(state, story, judges.length, perJudge) + (isOver(story) ? 0 : parksLeft)
}

const isOver = (story: StoryState): boolean => ['merged', 'skipped', 'failed'].includes(story.control.status)

/** How far the story still is from the target. */
function rank(state: DeliveryState, story: StoryState, judges: number, perJudge: number): number {
  const { control } = story
  const proving = judges * perJudge + 4
  switch (control.status) {
    case 'waiting':
    case 'coding':
    case 'tidying':
      return proving + judges * perJudge + 8 - (control.status === 'tidying' ? 1 : 0)
    case 'judging':
      return proving + (judges - control.passed.length) * perJudge - control.retry + 6
    case 'gated':
      return proving + 5
    case 'composing':
      return proving + 3
    case 'proving':
      return 3 + (judges - (state.proven[control.composed.tree]?.length ?? 0)) * perJudge - control.retry
    case 'asking':
    case 'escalated':
      return 2
    case 'joined':
      return 1
    case 'merged':
    case 'skipped':
    case 'failed':
      return 0
  }
}

function planFuel(state: DeliveryState): number {
  const { limits } = policyOf(state)
  const { control, revision, repairs } = state.plan
  if (control.status !== 'drafting') return 0
  return (
    1 +
    Math.max(0, limits.planRevisions - revision) * (limits.planRepairs + 2) +
    Math.max(0, limits.planRepairs + 1 - repairs)
  )
}

/** Questions that are put and not yet answered, and the judges of the whole. */
function tail(state: DeliveryState): number {
  const unasked = state.order.length + 3 - openQuestions(state).length
  const whole = state.line.commits.at(-1)
  const open = whole === undefined ? 0 : policyOf(state).judges.length - (state.proven[whole.tree]?.length ?? 0)
  return Math.max(0, unasked) + Math.max(0, open) + (state.line.whole === null ? 1 : 0)
}
