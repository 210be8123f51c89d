import type { Stepping } from '../events.ts'
import type { Instant } from '../ids.ts'
import { reviewingFailed } from '../review/course/evolve.ts'
import { refused } from '../shared/choosing.ts'
import { type DeliveryState, policyOf, type Reducers, type Started, storyOf, type Trouble } from '../state.ts'
import { isIrrevocable, type Step, usesAgent, whoTakes } from '../step.ts'
import { exhaust } from '../story/course/attempts.ts'
import { codingStarted } from '../story/course/coding.ts'
import { fits } from './fits.ts'

/** Steps begin, wait, are refused, given up, or fail. */
export const stepping: Reducers<Stepping> = {
  StepStarted(state, event, at) {
    if (state.mode.status === 'ended') return
    const { step, worker, mark } = event
    const before = state.running[step.id]
    const lost = before === undefined ? 0 : before.lost + 1
    state.running[step.id] = { step, try: event.try, worker, mark, at, lost }
    delete state.parked[step.id]
    if (usesAgent(step)) agentStarted(state)
    if (event.reserveUsd > 0) state.money.reserved[step.id] = { usd: event.reserveUsd, story: step.story }
    if (step.verb === 'CodeStory') codingStarted(state, step)
    if (step.verb === 'Land') state.line.begun = step
  },
  StepParked(state, { step: id, until, reason }) {
    const started = state.running[id]
    if (started === undefined || !accepts(state, id)) return
    state.parked[id] = { until, reason, try: started.try }
    park(state, started.step, reason)
  },
  AgentRefused(state, event, at) {
    const { step: id } = event
    const started = state.running[id]
    if (started === undefined || !accepts(state, id) || !usesAgent(started.step)) return
    const reason = `${event.agent}: ${event.message}`
    state.parked[id] = { until: at, reason, try: started.try }
    if (event.kind !== 'session') refused(state.absences, whoTakes(started.step), { event, at })
    else if (started.step.verb === 'CodeStory') storyOf(state, started.step.story).thisAttempt.session = null
    park(state, started.step, reason)
  },
  StepAborted(state, { step, reason }, at) {
    const started = state.running[step]
    if (started === undefined || !mayBeAborted(state, started)) return
    release(state, step)
    // The next start is another try: its transcript and its place are its own.
    state.parked[step] = { until: at, reason, try: started.try }
  },
  StepFailed: stepFailed,
}

/** Whether the outcome of a running step is wanted. Its place is free from now on. */
export function accepts(state: DeliveryState, id: string): boolean {
  const started = state.running[id]
  if (started === undefined || state.mode.status === 'ended') return false
  const wanted = fits(state, started.step)
  release(state, id)
  return wanted
}

type Failed = Extract<Stepping, { type: 'StepFailed' }>

function stepFailed(state: DeliveryState, event: Failed, at: Instant): void {
  const started = state.running[event.step]
  if (started === undefined || !accepts(state, event.step)) return
  const { step } = started
  const reason = `${event.message} (${event.remedy})`
  if (event.environment === true) return machineFailed(state, event, { started, at })
  if (reviewingFailed(state, step, reason)) return
  if (event.story !== null) return exhaust(state, storyOf(state, event.story), reason)
  giveUp(state, step, troubleOf(event))
}

/** The machine or the settings are at fault: nobody is charged, and where the step is begun again it is another try. */
function machineFailed(state: DeliveryState, event: Failed, { started, at }: { started: Started; at: Instant }): void {
  const reason = `${event.message} (${event.remedy})`
  state.parked[event.step] = { until: at, reason, try: started.try }
  if (state.trouble === null) {
    const about = started.step.verb === 'TryBase' ? { base: true as const } : {}
    state.trouble = { ...troubleOf(event), environment: true, ...about }
  } else park(state, started.step, reason)
}

const troubleOf = ({ step, message, remedy }: Failed): Trouble => ({ step, message, remedy })

/** Whatever day it is, something can be spent on it. */
function agentStarted(state: DeliveryState): void {
  state.agentStarts += 1
  state.money.spentDay = null
}

/** What cannot be called back stays, and so does what we keep dying of: it is the reason of the end that is due. */
export const mayBeAborted = (state: DeliveryState, { step, lost }: Started): boolean =>
  !isIrrevocable(step) && lost < policyOf(state).limits.lostStartsPerStep

/** Waiting for a limit spends no attempt, but it cannot go on for ever either. */
function park(state: DeliveryState, step: Step, reason: string): void {
  const { parksPerStory } = policyOf(state).limits
  const message = `it had to wait too often: ${reason}`
  if (step.story !== null) {
    const story = storyOf(state, step.story)
    story.tally.parks += 1
    if (story.tally.parks > parksPerStory) exhaust(state, story, message)
    return
  }
  state.parks += 1
  if (state.parks <= parksPerStory) return
  giveUp(state, step, { step: step.id, message, remedy: 'remove the cause, then continue' })
}

/** The look at the base only gives early warning: without it the delivery can go on. */
function giveUp(state: DeliveryState, step: Step, trouble: Trouble): void {
  if (step.verb === 'TryBase') state.baseTried = step.checks
  else state.trouble = trouble
}

function release(state: DeliveryState, step: string): void {
  delete state.running[step]
  delete state.parked[step]
  delete state.money.reserved[step]
}
