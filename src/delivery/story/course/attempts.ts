import { hashOf } from '../../../std/hash.ts'
import type { CommitId, Work } from '../../ids.ts'
import { type DeliveryState, policyOf, raiseConcern, storiesOf } from '../../state.ts'
import { freshAttempt, isSettled, type Respecifying, type StoryControl, type StoryState, workOf } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { beginPhase, rungOf } from './ladder.ts'

/** This attempt is over: another one, or a human. */
export function endAttempt(state: DeliveryState, story: StoryState, ended: string): void {
  const policy = policyOf(state)
  const agent = story.coder ?? ''
  const signature = hashOf([ended, story.findings.map((finding) => finding.fingerprint).sort()])
  const twice = story.past.some((past) => past.signature === signature && past.agent !== agent)
  story.past.push({ attempt: story.attempt, round: story.round, agent, ended, signature })
  if (twice) return endLadder(state, story, `two agents failed in the same way: ${ended}`)
  if (story.turn - story.tally.turnsBefore >= policy.limits.turnsPerStory)
    return endLadder(state, story, turnsSpent(story))
  if (story.tally.attempts >= policy.limits.attemptsPerStory) {
    return endLadder(state, story, `all attempts failed (${story.tally.attempts}); the last one: ${ended}`)
  }
  story.tally.attempts += 1
  beginAttempt(state, story)
  exhaustWithoutRung(state, story)
}

/** Nobody could do it as it is: it may be too much at once. */
function endLadder(state: DeliveryState, story: StoryState, reason: string): void {
  if (mayBeSplit(state, story)) beginRespec(story, { as: 'split', reason })
  else exhaust(state, story, reason)
}

/** Tests and code may have chains of their own: all of one may have crashed too often in the other part. */
export function exhaustWithoutRung(state: DeliveryState, story: StoryState): boolean {
  const isWithout = rungOf(policyOf(state), story) === null
  if (isWithout) exhaust(state, story, 'every agent for the next turn crashed too often')
  return isWithout
}

/** From the line's tip of then, with a fresh session and what was learned so far. */
export function beginAttempt(state: DeliveryState, story: StoryState): void {
  story.attempt += 1
  story.round = 1
  story.tally.rounds = 1
  story.thisAttempt = freshAttempt()
  // It was of other work: whatever comes now holds instead.
  if (story.handoff.quality === 'full') story.handoff = { ...story.handoff, quality: 'partial' }
  story.review = { ...story.review, since: null, open: [], red: null }
  moveStory(story, 'attemptBegan', {})
  beginPhase(state, story)
}

/** The ladder is at its end: a human, or, when nobody is there, the story fails and the rest goes on. */
export function exhaust(state: DeliveryState, story: StoryState, reason: string): void {
  if (isReplanned(story.control)) letStand(state, story, reason)
  else if (policyOf(state).unattended) settleWithout(state, story, { status: 'failed', reason })
  else {
    story.escalations += 1
    moveStory(story, 'ladderEnded', { reason })
  }
}

export const turnsSpent = (story: StoryState): string =>
  `${story.turn - story.tally.turnsBefore} coding turns were not enough`

/** The story will not be on the line; neither will what depends on it. */
export function settleWithout(
  state: DeliveryState,
  story: StoryState,
  control: Extract<StoryControl, { status: 'failed' | 'skipped' }>,
): void {
  moveStory(story, control.status, control)
  skipDependents(state, story.spec.id)
}

function skipDependents(state: DeliveryState, root: string): void {
  const lost = new Set([root])
  let grew = true
  while (grew) {
    grew = false
    for (const story of storiesOf(state)) {
      if (lost.has(story.spec.id) || isSettled(story) || !story.spec.dependsOn.some((id) => lost.has(id))) continue
      moveStory(story, 'skipped', { reason: `it depends on ${root}`, because: root })
      lost.add(story.spec.id)
      grew = true
    }
  }
}

/** A human refuels the story; what was skipped because of it comes back. */
export function refuel(state: DeliveryState, story: StoryState): void {
  const { amendments } = story.tally
  story.tally = { rounds: 1, attempts: 1, crashes: {}, merges: 0, parks: 0, amendments, turnsBefore: story.turn }
  story.review.before = story.review.round
  beginAttempt(state, story)
  reviveDependents(state, story)
}

/** Those that another lost story holds back are lost again, because of that one. */
export function reviveDependents(state: DeliveryState, story: StoryState): void {
  for (const other of storiesOf(state)) {
    if (other.control.status !== 'skipped' || other.control.because !== story.spec.id) continue
    beginAttempt(state, other)
  }
  for (const { control, spec } of storiesOf(state)) {
    const lost = control.status === 'failed' || (control.status === 'skipped' && control.because === null)
    if (lost) skipDependents(state, spec.id)
  }
}

/** Wrong work costs a round, and the last round of an attempt ends it. */
export function spendRound(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  const { roundsPerAttempt } = policyOf(state).limits
  if (story.tally.rounds >= roundsPerAttempt) {
    return endAttempt(
      state,
      story,
      `all rounds are spent (${story.tally.rounds}): ${story.findings[0]?.message ?? 'nothing said'}`,
    )
  }
  story.tally.rounds += 1
  codeAgain(state, story, at)
}

/** The same attempt goes on, in the same workspace and session, with the findings. */
export function codeAgain(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  if (story.turn - story.tally.turnsBefore >= policyOf(state).limits.turnsPerStory) {
    return exhaust(state, story, turnsSpent(story))
  }
  story.round += 1
  moveStory(story, 'sentBack', at)
}

/** Not the coder's fault alone: it has a counter of its own, and starts from the new base. */
export function returnFromLine(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  story.thisAttempt.failures = null
  story.tally.merges += 1
  if (story.tally.merges > policyOf(state).limits.mergesPerStory) {
    story.tally.merges = 0
    return endAttempt(state, story, `it did not fit onto the line: ${story.findings[0]?.message ?? 'conflict'}`)
  }
  codeAgain(state, story, at)
}

/** Into so many at most: who needs more needs another plan. */
export const piecesPerSplit = 8

/** A planner may make several of it: once, and of what a planner has planned. A human may ask for more. */
export const mayBeSplit = (state: DeliveryState, story: StoryState): boolean =>
  !state.plan.given && story.origin === null && story.spec.complexity > 1 && isSplittable(state, story)

/** What is added to mend the result of all, and acceptance tests, are one thing. */
export const isSplittable = (state: DeliveryState, { kind, spec }: StoryState): boolean =>
  kind === 'story' && policyOf(state).roles.planner.length > 0 && !isMend(state, spec.id)

const isMend = ({ order, line: { mends } }: DeliveryState, id: string): boolean =>
  mends > 0 && order.slice(-mends).includes(id)

/** Why it cannot be specified anew; null: it can. */
export function whyNotAmended(state: DeliveryState, { kind, tally }: StoryState): string | null {
  const { roles, limits } = policyOf(state)
  if (kind !== 'story') return 'it is not of the plan'
  if (roles.planner.length === 0) return 'there is no planner (roles.planner)'
  if (tally.amendments < limits.amendmentsPerStory) return null
  return `it was amended ${tally.amendments} times already (limits.amendmentsPerStory)`
}

export function beginRespec(
  story: StoryState,
  {
    as,
    reason,
    ...besides
  }: Pick<Respecifying, 'as' | 'reason'> & Partial<Pick<Respecifying, 'departed' | 'problems'>>,
): void {
  story.thisAttempt.session = null
  moveStory(story, 'respecBegan', { as, reason, departed: [], problems: [], ...besides, repairs: 0 })
}

/** Nothing is wrong with it but that something else was done otherwise than planned. */
export const isReplanned = (control: StoryControl): boolean =>
  (control.status === 'respecifying' || control.status === 'respecified') && control.departed.length > 0

/** Nobody has a better specification: that never holds up what was right when it was planned. */
export function letStand(state: DeliveryState, story: StoryState, why: string): void {
  const { control, spec } = story
  if (control.status !== 'respecifying' && control.status !== 'respecified') return
  raiseConcern(state, `${spec.id} stays as it was planned, though ${control.departed.join(', ')} departed: ${why}`)
  goOnAsItIs(state, story)
}

/** It has not begun yet, so nothing of it has to begin anew. */
export function goOnAsItIs(state: DeliveryState, story: StoryState): void {
  moveStory(story, 'specKept', {})
  beginPhase(state, story)
}

/** A human works on it, in a workspace of its own, from where the last coder left it. */
export function takeOver(state: DeliveryState, story: StoryState): void {
  const at = story.last ?? { base: startOf(state, story), from: startOf(state, story) }
  const { departures } = story.thisAttempt
  refuel(state, story)
  Object.assign(story.thisAttempt, { departures, taken: true })
  story.coder = null
  // Whoever does both needs nobody to begin with the tests.
  if (story.kind === 'story') story.phase = 'code'
  moveStory(story, 'takeOverBegan', { stage: 'lending', ...at, path: '' })
}

/** What a first attempt begins with. */
export const startOf = (state: DeliveryState, { kind }: StoryState): CommitId =>
  kind === 'acceptance' ? state.request!.base : state.line.tip

export function workspaceLent(story: StoryState, path: string): void {
  const { control } = story
  if (control.status === 'taken-over') moveStory(story, 'workspaceLent', { ...control, stage: 'theirs', path })
}

/** What is in the workspace is taken for the work. */
export function handBack(story: StoryState): void {
  const { control } = story
  if (control.status !== 'taken-over') return
  story.tally.turnsBefore = story.turn
  moveStory(story, 'handedBack', { ...control, stage: 'harvesting' })
}

/** No objection is left: the story goes to the gate, or to the queue for the line. */
export function pass(state: DeliveryState, story: StoryState, work: Work): void {
  story.findings = []
  if (policyOf(state).gates === 'manual') moveStory(story, 'gateReached', workOf(work))
  else enterQueue(state, story, work)
}

export function enterQueue(state: DeliveryState, story: StoryState, work: Work): void {
  if (story.kind === 'acceptance') return moveStory(story, 'held', workOf(work))
  story.queue = nextInQueue(state)
  moveStory(story, 'queued', { ...workOf(work), misfit: null })
}

const nextInQueue = (state: DeliveryState): number =>
  1 + storiesOf(state).reduce((last, story) => Math.max(last, story.queue), 0)
