import type { Who } from '../../ids.ts'
import { nearCeiling } from '../../money/ledger.ts'
import type { Strategy } from '../../plan/plan.ts'
import { type Policy, type Tier, tiers } from '../../policy.ts'
import { barOf, bestOf, type Chosen, type Rung, withSpare } from '../../shared/choosing.ts'
import { type DeliveryState, policyOf, raiseConcern } from '../../state.ts'
import type { StoryState } from '../story.ts'

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

/** When the story's tests are written. Only what can be run alone, and fails without the change, can come first. */
export function strategyOf(policy: Policy, { spec, kind }: StoryState): Strategy {
  const wanted = spec.strategy ?? policy.strategy
  if (kind === 'acceptance') return 'three-session'
  return comesFirst(wanted) && whyNotFirst(policy, spec) !== null ? 'after' : wanted
}

const comesFirst = (strategy: Strategy): boolean => strategy === 'tdd' || strategy === 'three-session'

function whyNotFirst(policy: Policy, { tests }: StoryState['spec']): string | null {
  if (!runsSingleTests(policy)) return 'no check can run single tests (`related`)'
  return tests === 'characterisation' ? 'some hold with and without the change (`tests: characterisation`)' : null
}

export const runsSingleTests = ({ checks }: Policy): boolean => checks.some(({ related }) => related !== null)

/** Each attempt begins with its tests, where they come first. */
export function beginPhase(state: DeliveryState, story: StoryState): void {
  const policy = policyOf(state)
  story.phase = comesFirst(strategyOf(policy, story)) ? 'tests' : 'code'
  story.red = null
  sayWhyNotFirst(state, story)
}

function sayWhyNotFirst(state: DeliveryState, { phase, spec }: StoryState): void {
  const policy = policyOf(state)
  const why = whyNotFirst(policy, spec)
  if (phase === 'code' && why !== null && comesFirst(spec.strategy ?? policy.strategy))
    raiseConcern(state, `tests are not written before the change: ${why}`)
}

/** Under other settings tests may not come first any more, or begin to: an attempt that has begun goes on as it is. */
export function rethinkPhase(state: DeliveryState, story: StoryState): void {
  if (story.control.status === 'waiting') beginPhase(state, story)
  else if (story.phase === 'tests' && !comesFirst(strategyOf(policyOf(state), story))) {
    story.phase = 'code'
    sayWhyNotFirst(state, story)
  }
}

/** Others than those who write the code write its tests. */
export const isWrittenByTestWriter = (policy: Policy, story: StoryState): boolean =>
  story.phase === 'tests' && strategyOf(policy, story) === 'three-session' && policy.roles.testWriter.length > 0

/** A third session judges what two have written. */
export const isVerified = (policy: Policy, story: StoryState): boolean =>
  story.phase === 'code' && story.red !== null && strategyOf(policy, story) === 'three-session'

/** All that may take the story's next turn, the ladder's own choice first; cheaper ones when a ceiling is near. */
export function codersOf(state: DeliveryState, story: StoryState, day: string): Chosen<Rung>[] {
  const near = nearCeiling(state.money, policyOf(state).ceilings, { story: story.spec.id, day })
  return withSpare(state, chainOf(policyOf(state), story)).map((rung) => cheapened(state, rung, near))
}

/** If no agent is named, the coder's chain from its end, so that the author of the work comes last. */
export function verifiersOf(state: DeliveryState): Chosen<Who>[] {
  const { coder, verifier } = policyOf(state).roles
  return bestOf(state, verifier.length > 0 ? verifier : coder.toReversed())
}

function cheapened(state: DeliveryState, rung: Rung, near: string | null): Chosen<Rung> {
  const model = policyOf(state).agents[rung.agent]?.cheaper ?? null
  const pointless = near === null || model === null || model === rung.model
  if (pointless || barOf(state.absences, { agent: rung.agent, model }) !== null) return { ...rung, because: '' }
  return { ...rung, model, because: `${model} is cheaper, and ${near}` }
}
