import { completion, quarantine } from './completion.ts'
import { fits } from './fits.ts'
import type { Instant } from './ids.ts'
import { dueOnLine } from './merging/due.ts'
import type { Moment } from './moment.ts'
import { dueForPlan } from './plan/due.ts'
import { dueQuestions } from './questions/due.ts'
import { roomOf } from './room.ts'
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
  return byMode(state, state.mode, moment)
}

function byMode(state: DeliveryState, mode: Mode, moment: Moment): Due {
  if (mode.status === 'ended') return { steps: [], wakeAt: null }
  const lost = quarantine(state)
  if (lost !== null) return unlessIrrevocable(state, lost)
  switch (mode.status) {
    case 'paused': {
      const running = Object.values(state.running).map((started) => started.step)
      const goesOn = (step: Step) => isIrrevocable(step) || (!mode.now && fits(state, step))
      return { steps: running.filter(goesOn), wakeAt: null }
    }
    case 'stopping':
      return unlessIrrevocable(state, completion(state, 'stopped', mode.reason))
    case 'active':
      return dueWhenActive(state, moment)
  }
}

/** The end waits for what cannot be called back, unless that itself is what our process dies of. */
function unlessIrrevocable(state: DeliveryState, end: Step): Due {
  const { lostStartsPerStep } = state.policy!.limits
  const irrevocable = Object.values(state.running).filter(
    ({ step, lost }) => isIrrevocable(step) && lost < lostStartsPerStep,
  )
  return { steps: irrevocable.length > 0 ? irrevocable.map(({ step }) => step) : [end], wakeAt: null }
}

function dueWhenActive(state: DeliveryState, moment: Moment): Due {
  const asking = dueQuestions(state, moment)
  const room = roomOf(state, moment)
  const steps = [...asking.steps, ...dueForPlan(state, room), ...dueOnLine(state, room), ...dueForStories(state, room)]
  const wakeAt = earlier(asking.wakeAt, room.wakeAt)
  if (steps.length > 0 || asking.open || room.held) return { steps, wakeAt }
  return { steps: [completion(state, null, '')], wakeAt: null }
}

const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)
