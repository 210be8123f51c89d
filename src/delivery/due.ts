import { completion, quarantine } from './completion.ts'
import type { Instant } from './ids.ts'
import { dueOnLine } from './merging/due.ts'
import type { Moment } from './moment.ts'
import { dueForPlan } from './plan/due.ts'
import { dueQuestions } from './questions/due.ts'
import type { DeliveryState, Mode } from './state.ts'
import type { Step } from './step.ts'
import { isIrrevocable } from './step.ts'
import { dueForStories } from './story/due.ts'

export interface Due {
  /** Running ones included: what is running and not listed is to be aborted. */
  steps: Step[]
  /** When to look again although nothing has happened; null: only when something does. */
  wakeAt: Instant | null
}

/** What must be done now, and when to look again. */
export function dueSteps(state: DeliveryState, moment: Moment): Due {
  if (state.request === null || state.policy === null) return { steps: [], wakeAt: null }
  const lost = quarantine(state)
  if (lost !== null && state.mode.status !== 'ended') return { steps: [lost], wakeAt: null }
  return byMode(state, state.mode, moment)
}

function byMode(state: DeliveryState, mode: Mode, moment: Moment): Due {
  const running = Object.values(state.running).map((started) => started.step)
  switch (mode.status) {
    case 'ended':
      return { steps: [], wakeAt: null }
    case 'paused':
      return { steps: mode.now ? running.filter(isIrrevocable) : running, wakeAt: null }
    case 'stopping': {
      const irrevocable = running.filter(isIrrevocable)
      return { steps: irrevocable.length > 0 ? irrevocable : [completion(state, 'stopped', mode.reason)], wakeAt: null }
    }
    case 'active':
      return dueWhenActive(state, moment)
  }
}

function dueWhenActive(state: DeliveryState, moment: Moment): Due {
  const asking = dueQuestions(state, moment)
  const wanted = [...dueForPlan(state), ...dueForStories(state), ...dueOnLine(state)]
  const steps = [...asking.steps, ...wanted.filter((step) => !isHeld(state, step, moment))]
  const wakes = [asking.wakeAt, ...wanted.map((step) => heldUntil(state, step, moment))]
  const wakeAt = earliest(wakes)
  if (steps.length > 0 || wakeAt !== null || asking.open) return { steps, wakeAt }
  return { steps: [completion(state, null, '')], wakeAt: null }
}

const isHeld = (state: DeliveryState, step: Step, moment: Moment): boolean => heldUntil(state, step, moment) !== null

/** Parked until a limit resets, or held outside working hours; null: it may start. */
function heldUntil(state: DeliveryState, step: Step, moment: Moment): Instant | null {
  if (state.running[step.id] !== undefined) return null
  const parked = state.parked[step.id]
  if (parked !== undefined && parked.until > moment.at) return parked.until
  return !moment.open && step.verb === 'CodeStory' ? moment.changesAt : null
}

const earliest = (instants: (Instant | null)[]): Instant | null =>
  instants.reduce((first, one) => (one !== null && (first === null || one < first) ? one : first), null)
