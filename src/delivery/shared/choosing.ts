import { hashOf } from '../../std/hash.ts'
import type { Refusal, Stepping } from '../events.ts'
import type { Instant, Who } from '../ids.ts'
import { type AgentPolicy, type Policy, type Tier, tiers } from '../policy.ts'
import { type Absence, type Absences, type DeliveryState, policyOf } from '../state.ts'

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

/** A plan is short, and everything hangs on it: the best model that each agent has. */
export const plannersOf = (state: DeliveryState): Chosen<Who>[] => bestOf(state, policyOf(state).roles.planner)

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

/** So long it is worth waiting for an agent while another one could go on. */
const shortWaitMs = 10 * 60_000
const firstBackOffMs = 5_000
const longestBackOffMs = 10 * 60_000

/** Why this agent takes no turn at this moment, or null. */
export function absenceOf(absences: Absences, who: Who, at: Instant): Absence | null {
  const now = entriesOf(absences, who).filter(({ until }) => until === null || until > at)
  return now.sort((a, b) => (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY))[0] ?? null
}

/** Deliveries that use an agent in the same way have its limits in common. */
export const accountOf = ({ driver, options }: AgentPolicy): string => hashOf([driver, options])

/** Only a human can bring it back. */
export const barOf = (absences: Absences, who: Who): Absence | null =>
  entriesOf(absences, who).find(({ until }) => until === null) ?? null

/** Why nobody asks it until a human has done something, in words. */
export const barText = ({ agent, kind, message }: Pick<Absence, 'agent' | 'kind' | 'message'>): string =>
  kind === 'auth' ? `${agent} is not signed in: ${message}` : `${agent} cannot be used (${kind}): ${message}`

/** Whether another agent is to go on meanwhile, if there is one. A short rest is waited for: the session is here. */
export function givesWay({ kind, refusals, since, until }: Absence, refusalsPerAgent: number): boolean {
  return !rests(kind) || refusals >= refusalsPerAgent || until === null || until - since > shortWaitMs
}

/** The agent's service said no: it is left alone for a while, or until a human has seen to it. */
export function refused(
  absences: Absences,
  { agent, model }: Who,
  { event, at }: { event: Extract<Stepping, { type: 'AgentRefused' }>; at: Instant },
): void {
  const { kind, message, remedy, step } = event
  const key = isOfModel(kind) ? keyOf({ agent, model }) : agent
  const before = absences[key]
  if (before !== undefined && before.until === null) return
  const refusals = (before?.refusals ?? 0) + 1
  const until = event.until ?? (rests(kind) ? at + backOffMs(step, refusals) : null)
  absences[key] = { agent, model, kind, since: at, until, refusals, message, remedy }
}

/** It took a turn: whatever it refuses next is its first refusal. */
export function answered(absences: Absences, who: Who): void {
  const key = keyOf(who)
  const before = absences[key]
  if (before !== undefined && before.until !== null) absences[key] = { ...before, refusals: 0 }
}

/** Whether the agent's other models may be there all the same. */
export const isOfModel = (kind: Refusal): boolean => rests(kind) || kind === 'model'

const rests = (kind: Refusal): boolean => kind === 'rate-limit' || kind === 'overloaded' || kind === 'network'

/** Doubled each time, and not the same for all, so that they do not come back at once. */
function backOffMs(step: string, refusals: number): number {
  const waitMs = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (refusals - 1))
  const share = Number.parseInt(hashOf([step, refusals]).slice(0, 4), 16) / 0xffff
  return Math.round(waitMs * (0.75 + share / 4))
}

/** Under its own name stands the agent as a whole. */
const keyOf = ({ agent, model }: Who): string => `${agent}/${model ?? ''}`

const entriesOf = (absences: Absences, who: Who): Absence[] =>
  [who.agent, keyOf(who)].flatMap((key) => absences[key] ?? [])
