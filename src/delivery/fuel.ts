import { seats } from './intent/interpretation.ts'
import { isIntentSettled } from './intent/state.ts'
import { unaskedQuestions } from './questions/due.ts'
import { reviewRank, reviewWeight } from './review/course/seats.ts'
import { isBaseTried, isRefused, isStopped } from './shared/room.ts'
import type { DeliveryState } from './state.ts'
import { policyOf, storiesOf } from './state.ts'
import { isSplittable, piecesPerSplit } from './story/course/attempts.ts'
import { isProven, judgesOfLine, judgesOfTree } from './story/course/judging.ts'
import type { StoryControl, StoryState } from './story/story.ts'

/**
 * Falls with each outcome; only a human refuels. So every loop ends.
 * Whatever leads back to an earlier place is paid for by something that cannot be had again: a coding turn pays for
 * all that is judged after it and for those that are composed again when the story leaves the train, a refused landing
 * for laying the line again, a draft for the whole plan.
 */
export function fuel(state: DeliveryState): number {
  if (state.mode.status === 'ended' || state.policy === null) return 0
  const { limits } = policyOf(state)
  const weights = weightsOf(state, storiesInAll(state))
  const stories = storiesOf(state).reduce((sum, story) => sum + storyFuel(state, story, weights), 0)
  const parks = Math.max(0, limits.parksPerStory + 1 - state.parks)
  return (
    1 +
    intentFuel(state) +
    planFuel(state) +
    replanFuel(state) +
    landingFuel(state, weights) +
    stories +
    parks * park +
    (isBaseTried(state) ? 0 : 1) +
    tail(state, weights)
  )
}

/** With those that may still come of splitting: a story that is split never raises what the others weigh. */
function storiesInAll(state: DeliveryState): number {
  const stories = storiesOf(state)
  const living = stories.filter(({ control }) => control.status !== 'split').length
  const splits = stories.filter((story) => maySplitYet(state, story)).length
  return living + mendsLeft(state) + splits * (piecesPerSplit - 1)
}

/** Whatever becomes of it before: a story that is amended may be split as well. */
const maySplitYet = (state: DeliveryState, story: StoryState): boolean =>
  story.control.status !== 'split' &&
  ((story.origin === null && isSplittable(state, story)) || isBeingSplit(story.control))

const isBeingSplit = (control: StoryControl): boolean =>
  (control.status === 'respecifying' && control.as === 'split') ||
  (control.status === 'respecified' && control.proposal.as === 'split')

/** Stories that the law may still add: as many in all weights, whether they are there or not. */
const mendsLeft = (state: DeliveryState): number => Math.max(0, policyOf(state).limits.fixStories - state.line.mends)

/** More than the question that may follow when nobody is left to take a turn. */
const park = 2

interface Weights {
  /** What each judge may take, with its retries. */
  judge: number
  /** All judges together. */
  judges: number
  /** More than what a story may take from the queue to the line. */
  line: number
  /** What it takes to compose and prove all others again. */
  again: number
  /** More than that, when one leaves the train and when the tip below it is red, and the judges of the tip. */
  behind: number
  /** More than what reviewers may take. */
  review: number
  /** More than what follows a coding turn until the next one. */
  turn: number
  /** More than what it takes to lay the line again. */
  landing: number
}

function weightsOf(state: DeliveryState, stories: number): Weights {
  const { limits, judges } = policyOf(state)
  const judge = limits.judgeRetries + 2
  // Those that the policy names, and those of tests that come first.
  const all = (judges.length + 3) * judge
  const line = all + 12
  const again = stories * line
  const behind = 2 * again + all + 10
  const review = reviewWeight(policyOf(state))
  const turn = 2 * all + behind + review + 40 + limits.planRepairs
  return { judge, judges: all, line, again, behind, review, turn, landing: 1 + stories * turn }
}

function storyFuel(state: DeliveryState, story: StoryState, weights: Weights): number {
  const { limits } = policyOf(state)
  if (['merged', 'skipped', 'failed', 'split', 'reviewed'].includes(story.control.status)) return 0
  const turns = Math.max(0, limits.turnsPerStory - (story.turn - story.tally.turnsBefore))
  const parks = Math.max(0, limits.parksPerStory + 1 - story.tally.parks)
  const respecs = respecFuel(state, story, weights)
  return turns * weights.turn + parks * park + rank(state, story, weights) + respecs
}

/** Each amendment by a planner is worth all turns of the story, a split all stories that may come of it. */
function respecFuel(state: DeliveryState, story: StoryState, weights: Weights): number {
  const { roles, limits } = policyOf(state)
  const left =
    story.kind === 'story' && roles.planner.length > 0 ? limits.amendmentsPerStory - story.tally.amendments : 0
  const split = maySplitYet(state, story) ? piecesPerSplit * perStory(state, weights) : 0
  return Math.max(0, left) * amendment(state, weights) + split
}

const amendment = (state: DeliveryState, { turn }: Weights): number => {
  const { turnsPerStory, parksPerStory } = policyOf(state).limits
  return (turnsPerStory + 1) * turn + (parksPerStory + 1) * park
}

/** How much may still happen before the next coding turn, or the target. */
function rank(state: DeliveryState, story: StoryState, { judge, judges, line, behind, review }: Weights): number {
  const { control } = story
  switch (control.status) {
    case 'tidying':
      return behind + line + review + judges + 10
    case 'judging':
      return behind + line + review + judges + 8 - control.passed.length * judge - control.retry
    // With the question that has to be put, less than judging with as many passed.
    case 'contested':
      return behind + line + review + judges + 8 - (control.passed.length + 1) * judge
    case 'reviewing':
    case 'triaging':
    case 'disputed':
    case 'reproducing':
      return behind + line + reviewRank(policyOf(state), story, control)
    case 'gated':
      return behind + line + 4
    case 'held':
      return behind + line + 2
    case 'composing':
      return behind + line - (control.misfit === null ? 0 : 1)
    case 'proving':
      return behind + (control.red === null ? lacking(state, control.composed.tree) * judge - control.retry + 8 : 6)
    case 'waiting':
    case 'coding':
      return 5
    // Nobody answers, the round ends, and it was the last: then the planner may be asked.
    case 'asking':
      return 10 + policyOf(state).limits.planRepairs
    case 'respecifying':
      return 9 + policyOf(state).limits.planRepairs - control.repairs
    case 'respecified':
      return 6
    case 'taken-over':
      return control.stage === 'lending' ? 9 : 6
    case 'unclear':
    case 'escalated':
      return 2
    case 'joined':
      return 1
    case 'merged':
    case 'skipped':
    case 'failed':
    case 'split':
    case 'reviewed':
      return 0
  }
}

const lacking = (state: DeliveryState, tree: string): number =>
  judgesOfLine(policyOf(state)).filter((judge) => !isProven(state, tree, judge)).length

const unproven = (state: DeliveryState, tree: string): number =>
  judgesOfTree(state, tree).filter((judge) => !isProven(state, tree, judge)).length

/** The target may move under us so many times for each story that is not on it yet. */
function landingFuel(state: DeliveryState, { landing }: Weights): number {
  const open = storiesOf(state).filter(({ control }) => !['merged', 'split'].includes(control.status)).length
  return Math.max(0, open * policyOf(state).limits.landings - state.line.landings) * landing
}

/** Each seat may be asked twice, each reading checked once, and held once against the examples of others; the question at the end is worth more than being put. */
function intentFuel({ intent, plan }: DeliveryState): number {
  if (isIntentSettled(intent) || plan.control.status !== 'drafting') return 0
  const left = seats.map((seat) => {
    const readings = intent.words[seat] !== undefined ? 0 : intent.faults[seat] === undefined ? 2 : 1
    return readings + (intent.checked[seat] === undefined ? 1 : 0) + (intent.tried[seat] === undefined ? 1 : 0)
  })
  return 2 * (1 + (intent.context === null ? 1 : 0) + left.reduce((sum, one) => sum + one, 0))
}

/** A draft is worth more than anything that can be done with the largest plan. */
function planFuel(state: DeliveryState): number {
  const { limits } = policyOf(state)
  const { control, repairs, audits } = state.plan
  if (control.status !== 'drafting' && control.status !== 'auditing') return 0
  const draft = draftFuel(state)
  const left = policyOf(state).roles.challenger.length === 0 ? 0 : Math.max(0, limits.planAudits - audits)
  const again = left * ((limits.planRepairs + 2) * draft + 3)
  if (control.status === 'auditing') return again + 2
  return again + Math.max(1, limits.planRepairs + 2 - repairs) * draft
}

/** A story that is put to the planner again is worth more than its way back to where it was. */
function replanFuel({ plan: { replans }, policy }: DeliveryState): number {
  const { limits } = policy!
  return Math.max(0, limits.replans - replans) * (limits.planRepairs + 6)
}

/** With all that may be split off. */
function draftFuel(state: DeliveryState): number {
  const { limits, acceptance } = policyOf(state)
  const added = mendsLeft(state) + (acceptance ? 1 : 0)
  const weights = weightsOf(state, limits.storiesPerPlan * piecesPerSplit + added)
  const each = perStory(state, weights)
  return (limits.storiesPerPlan * (1 + piecesPerSplit) + added) * each + 4
}

/** More than a story that nobody has begun, with the landings that it may take and the judges of the whole after it. */
function perStory(state: DeliveryState, { turn, landing, judges }: Weights): number {
  const { turnsPerStory, parksPerStory, landings, amendmentsPerStory } = policyOf(state).limits
  const once = (turnsPerStory + 1) * turn + (parksPerStory + 1) * park
  return (amendmentsPerStory + 1) * once + landings * landing + judges + 9
}

/** Questions still to be put, stories still to be added, the judges of the whole, and what can only happen once without a human. */
function tail(state: DeliveryState, weights: Weights): number {
  const { line } = state
  const last = line.commits.at(-1)
  const open = last === undefined ? 0 : unproven(state, last.tree) * weights.judge - line.silences
  const whole = line.whole !== null ? 0 : 1 + weights.again + open
  const mends = mendsLeft(state) * perStory(state, weights)
  return unaskedQuestions(state).length + mends + whole + (line.landing.status === 'idle' ? 2 : 0) + troubleFuel(state)
}

/** The world may say no after the machine was found wanting: each is a question to be put. */
const troubleFuel = (state: DeliveryState): number => (isRefused(state) ? 0 : isStopped(state) ? 2 : 4)
