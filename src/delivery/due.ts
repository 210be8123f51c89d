import { completion, quarantine } from './completion.ts'
import type { Instant } from './ids.ts'
import { dueForIntent } from './intent/course/due.ts'
import { dueAhead, dueOnLine } from './line/course/due.ts'
import { dueForPlan } from './plan/course/planning.ts'
import { dueQuestions } from './questions/due.ts'
import { dueForReview } from './review/course/due.ts'
import { admit, baseStep, type Moment, type Room } from './shared/room.ts'
import { type DeliveryState, type Mode, policyOf, runningSteps } from './state.ts'
import { isIrrevocable, runsCommands, type Step, usesAgent } from './step.ts'
import { fits } from './stepping/fits.ts'
import { dueForStory } from './story/course/due.ts'
import type { StoryState } from './story/story.ts'

export interface Due {
  /** Running ones included: what is running and not listed is to be aborted. */
  steps: Step[]
  /** When to look again although nothing has happened; null: only when something does. */
  wakeAt: Instant | null
}

/** What must be done now, and when to look again. */
export function dueSteps(state: DeliveryState, moment: Moment): Due {
  if (state.request === null || state.policy === null || state.imported !== null) return { steps: [], wakeAt: null }
  return byMode(state, state.mode, moment)
}

function byMode(state: DeliveryState, mode: Mode, moment: Moment): Due {
  if (mode.status === 'ended') return { steps: [], wakeAt: null }
  const lost = quarantine(state)
  if (lost !== null) return unlessIrrevocable(state, moment, lost)
  switch (mode.status) {
    case 'paused': {
      const running = runningSteps(state)
      const goesOn = (step: Step) => !isIrrevocable(step) && !mode.now && fits(state, step)
      const landing = irrevocable(state, moment)
      return { steps: [...running.filter(goesOn), ...landing.steps], wakeAt: landing.wakeAt }
    }
    case 'stopping':
      return unlessIrrevocable(state, moment, completion(state, 'stopped', mode.reason))
    case 'active':
      return dueWhenActive(state, moment)
  }
}

/** The end waits for what cannot be called back. */
function unlessIrrevocable(state: DeliveryState, moment: Moment, end: Step): Due {
  const landing = irrevocable(state, moment)
  return landing.steps.length > 0 || landing.wakeAt !== null ? landing : { steps: [end], wakeAt: null }
}

/** A landing that has begun, unless it is what our process dies of, or the world has refused it for good. */
function irrevocable(state: DeliveryState, moment: Moment): Due {
  const { begun } = state.line
  if (begun === null) return { steps: [], wakeAt: null }
  const started = state.running[begun.id]
  const hopeless =
    started === undefined ? state.trouble?.step === begun.id : started.lost >= policyOf(state).limits.lostStartsPerStep
  if (hopeless) return { steps: [], wakeAt: null }
  const until = started === undefined ? (state.parked[begun.id]?.until ?? 0) : 0
  return until > moment.at ? { steps: [], wakeAt: until } : { steps: [begun], wakeAt: null }
}

function dueWhenActive(state: DeliveryState, moment: Moment): Due {
  const asking = dueQuestions(state, moment)
  const room = roomOf(state, moment)
  const now = [
    ...asking.steps,
    ...dueOnBase(room),
    ...dueForIntent(state, room),
    ...dueForPlan(state, room),
    ...dueOnLine(state, room),
    ...dueForStories(state, room),
  ]
  const steps = [...now, ...dueAhead(state, room, now)]
  const wakeAt = earlier(asking.wakeAt, room.wakeAt)
  if (steps.length > 0 || asking.open || room.held) return { steps, wakeAt }
  return { steps: [completion(state, null, '')], wakeAt: null }
}

const dueOnBase = (room: Room): Step[] => (room.base !== null && admit(room, room.base) ? [room.base] : [])

function roomOf(state: DeliveryState, moment: Moment): Room {
  const { limits } = policyOf(state)
  const steps = runningSteps(state)
  const running = steps.filter((step) => fits(state, step))
  return {
    state,
    moment,
    agents: limits.agents - running.filter(usesAgent).length,
    checks: limits.checks - running.filter(runsCommands).length,
    starts: limits.agentStartsPerDelivery - state.agentStarts,
    reserved: Object.values(state.money.reserved),
    base: baseStep(state),
    held: false,
    wakeAt: null,
  }
}

/** Each story's coding, proof or review, as far as there is room. */
function dueForStories(state: DeliveryState, room: Room): Step[] {
  if (state.plan.control.status !== 'approved') return []
  const busy = new Set(Object.values(state.running).map(({ step }) => step.story))
  const due: Step[] = []
  const isHeldUp = hasGap(state)
  for (const id of state.order) {
    const story = state.stories[id]!
    const isNow = busy.has(id) || (!isHeldUp && mayHaveRoom(room, story))
    const dueNow = isInReview(story.control.status) ? dueForReview : dueForStory
    const steps = isNow ? [dueNow(state, story, room.moment) ?? []].flat() : []
    due.push(...steps.filter((step) => admit(room, step)))
  }
  return due
}

/** Nothing begins before it is settled what is wanted. */
const hasGap = (state: DeliveryState): boolean =>
  state.order.some((id) => state.stories[id]!.control.status === 'unclear')

/** Spares the making of steps that could not be admitted: there may be hundreds. */
function mayHaveRoom(room: Room, { control: { status } }: StoryState): boolean {
  if (status === 'waiting' || status === 'coding' || status === 'respecifying' || isInReview(status))
    return room.agents > 0
  return status === 'judging' || status === 'taken-over' || (status === 'tidying' && room.checks > 0)
}

const isInReview = (status: string): boolean => ['reviewing', 'triaging', 'reproducing'].includes(status)

const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
