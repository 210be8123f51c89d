import { hashOf } from '../../../std/hash.ts'
import type { Policy, Tier } from '../../policy.ts'
import { tiers } from '../../policy.ts'
import type { Rung } from '../../shared/choosing.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, storiesOf } from '../../state.ts'
import type { StoryControl, StoryState } from '../story.ts'
import { freshAttempt, isSettled } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { beginRespec, isReplanned, letStand, mayBeSplit } from './respec.ts'
import { beginPhase, isWrittenByTestWriter } from './strategy.ts'

/** Who codes this attempt: tiers first, then the chain's next agent. Null when all of them crashed too often. */
export function rungOf(policy: Policy, story: StoryState): Rung | null {
  const rungs = sound(policy, story).flatMap((agent) => rungsOfAgent(policy, agent, story.spec.complexity))
  return rungs[Math.min(story.tally.attempts, rungs.length) - 1] ?? null
}

/** The rung of this attempt, and what the chain's other agents have for its tier: they go on when its agent is away. */
export function chainOf(policy: Policy, story: StoryState): Rung[] {
  const rung = rungOf(policy, story)
  if (rung === null) return []
  const agents = sound(policy, story)
  const place = agents.indexOf(rung.agent)
  const others = [...agents.slice(place + 1), ...agents.slice(0, place)]
  return [rung, ...others.map((agent) => forTier(rungsOfAgent(policy, agent, story.spec.complexity), rung.tier))]
}

function sound(policy: Policy, story: StoryState): string[] {
  const { roles, limits } = policy
  const chain = isWrittenByTestWriter(policy, story) ? roles.testWriter : roles.coder
  const wanted = chain.filter((agent) => !story.avoid.includes(agent))
  const agents = wanted.length > 0 ? wanted : chain
  return agents.filter((agent) => (story.tally.crashes[agent] ?? 0) <= limits.crashesPerAgent)
}

const forTier = (rungs: Rung[], tier: Tier): Rung =>
  rungs.find((rung) => tiers.indexOf(rung.tier) >= tiers.indexOf(tier)) ?? rungs.at(-1)!

function rungsOfAgent(policy: Policy, agent: string, complexity: number): Rung[] {
  const models = policy.agents[agent]?.models ?? {}
  const { fast, balanced } = policy.routing
  const start: Tier = complexity <= fast ? 'fast' : complexity <= balanced ? 'balanced' : 'powerful'
  const from = tiers.slice(tiers.indexOf(start))
  const modelled = from.flatMap((tier) => (models[tier] === undefined ? [] : [{ agent, tier, model: models[tier] }]))
  return modelled.length > 0 ? modelled : [{ agent, tier: start, model: null }]
}

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
