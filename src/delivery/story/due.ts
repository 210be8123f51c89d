import { coderOf, plannerOf, verifierOf } from '../agents/choice.ts'
import { fits } from '../fits.ts'
import { judgeOfStory } from '../judging/judging.ts'
import type { Moment } from '../moment.ts'
import { dueForReview } from '../review/course/due.ts'
import type { Room } from '../room.ts'
import { admit } from '../room.ts'
import type { DeliveryState } from '../state.ts'
import type { Step } from '../step.ts'
import { identified } from '../step-id.ts'
import { mayStart } from './starting.ts'
import type { Respecifying, StoryState, TakenOver } from './story.ts'
import { forCoder } from './story.ts'
import { startOf } from './taking-over.ts'

/** Coding, tidying and judging of each story, as far as there is room. */
export function dueForStories(state: DeliveryState, room: Room): Step[] {
  if (state.plan.control.status !== 'approved') return []
  const busy = new Set(Object.values(state.running).map(({ step }) => step.story))
  const due: Step[] = []
  const isHeldUp = hasGap(state)
  for (const id of state.order) {
    const story = state.stories[id]!
    const isNow = busy.has(id) || (!isHeldUp && mayHaveRoom(room, story))
    const steps = isNow ? dueForStory(state, story, room.moment) : []
    due.push(...steps.filter((step) => admit(room, step)))
  }
  return due
}

/** While it is open what is wanted, nobody begins with anything. */
const hasGap = (state: DeliveryState): boolean =>
  state.order.some((id) => state.stories[id]!.control.status === 'unclear')

/** Spares the making of steps that could not be admitted: there may be hundreds. */
function mayHaveRoom(room: Room, { control: { status } }: StoryState): boolean {
  if (status === 'waiting' || status === 'coding' || status === 'respecifying' || isInReview(status))
    return room.agents > 0
  return status === 'judging' || status === 'taken-over' || (status === 'tidying' && room.checks > 0)
}

const isInReview = (status: string): boolean => ['reviewing', 'triaging', 'reproducing'].includes(status)

function dueForStory(state: DeliveryState, story: StoryState, moment: Moment): Step[] {
  if (isInReview(story.control.status)) return dueForReview(state, story, moment)
  const step = dueTurn(state, story, moment)
  return step === null ? [] : [step]
}

function dueTurn(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control } = story
  switch (control.status) {
    case 'waiting':
    case 'coding':
      return dueCoding(state, story, moment)
    case 'respecifying':
      return dueRespec(state, story, { control, moment })
    case 'taken-over':
      return dueInWorkspace(story, control)
    default:
      return dueProof(state, story, moment)
  }
}

function dueRespec(
  state: DeliveryState,
  story: StoryState,
  { control, moment }: { control: Respecifying; moment: Moment },
): Step | null {
  const running = runningTurn(state, story)
  const planner = running === null ? plannerOf(state, moment) : null
  if (planner === null) return running
  const { as, reason, problems } = control
  const departed = control.departed.length === 0 ? {} : { departed: control.departed }
  const { revision, respecs: turn, findings } = story
  const about = { story: story.spec.id, base: state.line.tip, revision, turn }
  return identified({ verb: 'RespecifyStory', ...planner, ...about, as, reason, ...departed, findings, problems })
}

/** While it is theirs nothing is due: they say when they are done. */
function dueInWorkspace(story: StoryState, { stage, base, from }: TakenOver): Step | null {
  const { revision, attempt, round, turn } = story
  if (stage === 'theirs') return null
  const verb = stage === 'lending' ? 'LendWorkspace' : 'HarvestStory'
  return identified({ verb, story: story.spec.id, revision, attempt, round, turn, base, from })
}

function dueCoding(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control } = story
  const running = runningTurn(state, story)
  if (running !== null) return running
  if (control.status !== 'coding' && (control.status !== 'waiting' || !mayStart(state, story))) return null
  const coder = coderOf(state, story, moment)
  if (coder === null) return null
  const start = startOf(state, story)
  const { base, from } = control.status === 'coding' ? control : { base: start, from: start }
  return identified({
    verb: 'CodeStory',
    story: story.spec.id,
    revision: story.revision,
    attempt: story.attempt,
    round: story.round,
    turn: story.turn,
    phase: story.phase,
    ...coder,
    base,
    from,
    findings: forCoder(story),
  })
}

/** Whoever was chosen for a turn ends it, though another would be chosen now. */
function runningTurn(state: DeliveryState, story: StoryState): Step | null {
  const running = Object.values(state.running).map((started) => started.step)
  const isTurn = ({ verb }: Step) => verb === 'CodeStory' || verb === 'Review' || verb === 'RespecifyStory'
  return running.find((step) => isTurn(step) && step.story === story.spec.id && fits(state, step)) ?? null
}

function dueProof(state: DeliveryState, story: StoryState, moment: Moment): Step | null {
  const { control, attempt, round, revision } = story
  const id = story.spec.id
  if (control.status === 'tidying') {
    const { base, commit } = control
    return identified({ verb: 'TidyStory', story: id, base, commit, attempt, round })
  }
  const judge = judgeOfStory(state, story)
  if (control.status !== 'judging' || judge === null) return null
  const { base, commit, tree, retry } = control
  const about = { base, commit, tree, revision, attempt, round, retry, policy: state.policyHash }
  if (judge !== 'verifier') return identified({ verb: 'Judge', story: id, judge, scope: 'story', ...about })
  const running = runningTurn(state, story)
  const verifier = running === null ? verifierOf(state, moment) : null
  return verifier === null ? running : identified({ verb: 'Review', story: id, judge, ...verifier, ...about })
}
