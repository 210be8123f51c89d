import type { DeliveryEvent, Lifecycle } from '../events.ts'
import type { Instant } from '../ids.ts'
import { followIntent } from '../intent/course/evolve.ts'
import type { Intent, IntentRefusal } from '../intents.ts'
import { rethinkSpecs } from '../plan/course/respecifying.ts'
import { rethinkDeadlines, shiftDeadlines } from '../questions/due.ts'
import { leaveQuestions } from '../questions/registry.ts'
import { beginReview, reviewAnew } from '../review/course/evolve.ts'
import { noReview } from '../review/review.ts'
import { isStopped } from '../shared/room.ts'
import { type DeliveryState, type Reducers, raiseConcern, storiesOf } from '../state.ts'
import { rethinkAcceptance } from '../story/course/acceptance.ts'
import { rethinkPhase } from '../story/course/ladder.ts'
import { freshStory, type StoryState, workOf } from '../story/story.ts'
import { moveStory } from '../story/transitions.ts'

/** A delivery begins, rests, ends, and comes from elsewhere. */
export const lifecycle: Reducers<Lifecycle> = {
  DeliveryRequested(state, { requirement, repository, target, base, review }, at) {
    state.request = { requirement, repository, target, base, review, at }
    state.line.tip = base
    state.line.target = base
  },
  PolicyPinned(state, { policy, hash }, at) {
    const isOther = state.policyHash !== hash
    const hours = state.policy?.workingHours ?? null
    if (isOther) forgetFormer(state)
    // Whoever pins settings has seen to what was wrong with them.
    if (isStopped(state)) state.trouble = null
    state.policy = policy
    rethinkDeadlines(state, hours, at)
    state.policyHash = hash
    if (isOther) for (const story of storiesOf(state)) reviewAnew(state, story)
    beginReview(state)
    followIntent(state)
    for (const story of storiesOf(state)) rethinkPhase(state, story)
    rethinkSpecs(state)
    if (policy.unattended) leaveQuestions(state)
    rethinkAcceptance(state)
  },
  DeliveryPaused(state, { now }, at) {
    state.mode = { status: 'paused', since: state.mode.status === 'paused' ? state.mode.since : at, now }
  },
  DeliveryResumed: (state, _, at) => goOn(state, at),
  DeliveryStopping(state, { reason }, at) {
    goOn(state, at)
    state.mode = { status: 'stopping', reason }
  },
  DeliveryReopened(state, _, at) {
    goOn(state, at)
    state.parks = 0
    state.trouble = null
    Object.assign(state.line, { whole: null, silences: 0, landings: 0, landing: { status: 'idle' } })
  },
  DeliveryImported(state, { repository, by }, at) {
    state.imported = { at, by }
    // Where it was elsewhere says nothing here, and might name a folder that is somebody else's.
    if (state.request !== null) state.request.repository = repository ?? { id: state.request.repository.id, path: '' }
  },
  /** What a file says is no proof: the work is kept, and everything that was said of it is to be said again, here. */
  DeliveryAdopted(state, { repository, target, by }) {
    state.imported = null
    if (state.request !== null) state.request.repository = repository
    state.policyHash = ''
    Object.assign(state, { running: {}, parked: {}, proven: {}, absences: {}, trouble: null, baseTried: '' })
    state.money.reserved = {}
    const idle = { train: [], commits: [], landings: 0, begun: null, begunIn: null, whole: null, silences: 0 }
    Object.assign(state.line, { ...idle, tip: target, target, tree: null, landing: { status: 'idle' } })
    for (const story of storiesOf(state)) forgetVerdicts(state, story)
    raiseConcern(state, `it was imported from a file and adopted by ${by}: what was said before is not proven here`)
  },
}

/** Until a human adopts it. */
export const notAdopted = ({ id }: DeliveryState): IntentRefusal => ({
  refused: `${id} was imported from a file, and nobody has adopted it`,
  remedy: `look at it with status, why, report, log, replay, verify and diff; to continue it, change to its repository and run \`ropewalk adopt ${id}\`, which first shows what would run`,
})

/** Only where it can go on: what it has merged elsewhere must be on the target here. */
export function adopt(
  { repository, target, policy, policyHash, by }: Extract<Intent, { type: 'AdoptDelivery' }>,
  state: DeliveryState,
): { events: DeliveryEvent[] } | IntentRefusal {
  const { request } = state
  if (state.imported === null)
    return {
      refused: `${state.id} was not imported, or is adopted already`,
      remedy: 'continue it with `ropewalk resume`',
    }
  if (request?.review !== null)
    return {
      refused: 'it is a review, which ends with what it says',
      remedy: 'review the work here: `ropewalk review`',
    }
  if (policy.target !== request.target)
    return {
      refused: `this delivery began on ${request.target}; it cannot go to ${policy.target}`,
      remedy: `set target to ${request.target}, or start another delivery`,
    }
  const adopted: DeliveryEvent = { type: 'DeliveryAdopted', repository, target, by }
  return { events: [adopted, { type: 'PolicyPinned', policy, hash: policyHash }] }
}

/** Other agents, commands, or another environment: what held under the former policy need not hold under this one. */
function forgetFormer(state: DeliveryState): void {
  state.absences = {}
  state.proven = {}
  state.line.whole = null
  state.line.silences = 0
  for (const story of storiesOf(state)) {
    const { control } = story
    if (control.status === 'judging') moveStory(story, 'policyChanged', { ...control, passed: [] })
    if (control.status === 'proving') moveStory(story, 'lineJudged', { ...control, red: null })
  }
}

/** Time in which nobody could have acted does not count towards a deadline. A human may have seen to the agents. */
function goOn(state: DeliveryState, at: Instant): void {
  const { mode } = state
  if (mode.status === 'paused') shiftDeadlines(state, mode.since, at)
  if (mode.status === 'ended') shiftDeadlines(state, mode.at, at)
  state.absences = {}
  state.money.spentDay = null
  state.resumedAt = at
  state.mode = { status: 'active' }
}

function forgetVerdicts(state: DeliveryState, story: StoryState): void {
  const { control, spec, kind } = story
  if (control.status === 'merged') return
  if (kind === 'acceptance') {
    state.stories[spec.id] = freshStory(spec, kind)
    return
  }
  Object.assign(story, { judged: null, waived: [], grants: [], review: noReview() })
  Object.assign(story.thisAttempt, { session: null, taken: false })
  if ('commit' in control) moveStory(story, 'workAdopted', { ...workOf(control), passed: [], retry: 0 })
  else if ('from' in control) moveStory(story, 'turnAdopted', { base: control.base, from: control.from })
}
