import type { Instant, Who } from '../ids.ts'
import type { Policy, Tier } from '../policy.ts'
import { tiers } from '../policy.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf } from '../state.ts'
import { absenceOf, barOf, barText, givesWay } from './absence.ts'
import type { Moment } from './moment.ts'

export interface Rung {
  agent: string
  tier: Tier
  model: string | null
}

/** The best first. */
export const modelsOf = (policy: Policy, agent: string): Rung[] =>
  [...tiers].reverse().flatMap((tier) => {
    const model = policy.agents[agent]?.models[tier]
    return model === undefined ? [] : [{ agent, tier, model }]
  })

/** Why it is this one and not the one that the ladder names; empty when it is that one. */
export type Chosen<W extends Who> = W & { because: string }

export function bestOf(state: DeliveryState, chain: string[]): Chosen<Who>[] {
  const policy = policyOf(state)
  return named(
    state,
    chain.map((agent) => modelsOf(policy, agent)[0] ?? { agent, model: null }),
  )
}

export const named = (state: DeliveryState, chain: Who[]): Chosen<Who>[] =>
  withSpare(state, chain).map(({ agent, model }) => ({ agent, model, because: '' }))

export const plannerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, plannersOf(state), at)

/** A plan is short, and everything hangs on it: the best model that each agent has. */
export function plannersOf(state: DeliveryState): Chosen<Who>[] {
  return bestOf(state, policyOf(state).roles.planner)
}

export const auditorOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, auditorsOf(state), at)

/** Preferably not the agent that drafted the plan. */
export function auditorsOf(state: DeliveryState): Chosen<Who>[] {
  const { challenger, planner } = policyOf(state).roles
  const isAuthor = (agent: string) => agent === planner[0]
  return bestOf(state, [...challenger.filter((agent) => !isAuthor(agent)), ...challenger.filter(isAuthor)])
}

/** No agent of these takes a turn until a human has seen to it. An empty list counts, too. */
export const isBarred = (state: DeliveryState, chain: Who[]): boolean =>
  chain.every((who) => barOf(state.absences, who) !== null)

/** The first, if it is there or soon will be; else the first that is there; else the one that is back first. */
export function choose<W extends Who>(state: DeliveryState, chain: Chosen<W>[], at: Instant): Chosen<W> | null {
  const { refusalsPerAgent } = policyOf(state).limits
  const [first] = chain
  if (first === undefined) return null
  const absence = absenceOf(state.absences, first, at)
  if (absence === null || !givesWay(absence, refusalsPerAgent)) return first
  const instead = `instead of ${nameOf(first)} (${absence.kind})`
  const other = chain.find((who) => absenceOf(state.absences, who, at) === null) ?? soonest(state, chain, at)
  if (other === null || other === first) return other
  return { ...other, because: [instead, other.because].filter((part) => part !== '').join('; ') }
}

/** Where a model was refused for good, the agent's other models take its place, behind all others. */
export function withSpare<W extends Who>(state: DeliveryState, chain: W[]): (W | Rung)[] {
  const isRefused = (who: Who): boolean => barOf(state.absences, who)?.kind === 'model'
  const spare = chain.filter(isRefused).flatMap(({ agent }) => modelsOf(policyOf(state), agent))
  return [...chain, ...spare.filter((who) => !isRefused(who))]
}

export function allBarred(state: DeliveryState, chain: Who[]): { message: string; remedy: string } | null {
  const bars = chain.map((who) => barOf(state.absences, who))
  const [first] = bars
  if (first == null || bars.some((bar) => bar === null)) return null
  return { message: barText(first), remedy: first.remedy }
}

const nameOf = ({ agent, model }: Who): string => (model === null ? agent : `${agent} with ${model}`)

function soonest<W extends Who>(state: DeliveryState, chain: Chosen<W>[], at: Instant): Chosen<W> | null {
  const back = (who: Who): number => absenceOf(state.absences, who, at)?.until ?? Number.POSITIVE_INFINITY
  const best = chain.reduce((one, other) => (back(other) < back(one) ? other : one))
  return back(best) === Number.POSITIVE_INFINITY ? null : best
}
