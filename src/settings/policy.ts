import type { AgentPolicy, Policy } from '../delivery/policy.ts'
import { hashOf } from '../std/hash.ts'
import { optionsOfDriver } from './drivers.ts'
import { workingHours } from './schema.ts'
import type { AgentSettings, Settings } from './settings.ts'

export interface Facts {
  cores: number
  /** Used where no target is configured. */
  currentBranch: string
  unattended: boolean
  /** Of the place where humans are asked. */
  utcOffsetMinutes: number
}

/** What is pinned for a delivery. */
export function toPolicy(settings: Settings, facts: Facts): Policy {
  const {
    agents,
    judges,
    target,
    limits,
    witness,
    roles,
    review,
    changedTests,
    keep: _ofTheMachine,
    workingHours: hours,
    ...rest
  } = settings
  const seats = review.reviewers?.map(seated(settings)) ?? reviewersOf(settings)
  return {
    ...rest,
    target: target ?? facts.currentBranch,
    unattended: facts.unattended,
    agents: Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, agentPolicy(agent)])),
    roles: rolesOf(settings),
    review: { ...review, reviewers: seats },
    judges: inOrder(judges, judgesOf(settings)),
    changedTests: changedTests ?? (seats.length > 0 ? 'reviewers' : 'block'),
    limits: { ...limits, checks: limits.checks ?? facts.cores },
    workingHours: hours === null ? null : workingHours(hours, facts.utcOffsetMinutes),
  }
}

/** Where nobody is named, those who can think for themselves: whoever plans reads, and others than the first coder doubt. */
function rolesOf(settings: Settings): Policy['roles'] {
  const { interpreter, challenger, ...rest } = settings.roles
  const doubters = thinking(settings, rest.coder.toReversed())
  return {
    ...rest,
    interpreter: interpreter ?? thinking(settings, rest.planner),
    challenger: challenger ?? doubters,
  }
}

/** Two, so that no single one lets something through; none where nobody can. */
function reviewersOf(settings: Settings): Policy['review']['reviewers'] {
  const agents = thinking(settings, settings.roles.coder.toReversed())
  return agents.length === 0
    ? []
    : [
        { vantage: 'correctness', agents },
        { vantage: 'criteria', agents },
      ]
}

/** Who is not named is of those who code: from the end of their chain, so that it is another than the author. */
const seated =
  ({ roles }: Settings) =>
  (seat: Policy['review']['reviewers'][number]) =>
    seat.agents.length > 0 ? seat : { ...seat, agents: roles.coder.toReversed() }

/** Scripts and the user's own commands do what they were written for. */
const thinking = ({ agents }: Settings, names: string[]): string[] =>
  names.filter((name) => !['scripted', 'command'].includes(agents[name]?.driver ?? ''))

/** The cheap ones first. */
export function judgesOf({ checks, witness }: Settings): string[] {
  const related = checks.flatMap(({ name, related }) => (related === null ? [] : [`related:${name}`]))
  const named = (kind: string): string[] => checks.map(({ name }) => `${kind}:${name}`)
  const runs = [...related, ...named('check'), ...named('guard'), 'sensitivity', ...(witness ? ['witness'] : [])]
  return ['inspection', ...runs, 'criteria']
}

export const policyHash = (policy: Policy): string => hashOf(policy)

export function agentPolicy(agent: AgentSettings): AgentPolicy {
  const {
    driver,
    environment,
    models,
    timeoutMs,
    idleTimeoutMs,
    reserveUsd,
    permissions,
    allow,
    cheaper,
    contextWindow,
  } = agent
  const taken = optionsOfDriver[driver].takes.filter((key) => agent[key] !== null)
  // The user's own commands and scripts have nobody to ask.
  const asking = driver === 'command' || driver === 'scripted' ? {} : { permissions }
  const options = { ...Object.fromEntries(taken.map((key) => [key, agent[key]])), environment, ...asking }
  const window = contextWindow === null ? {} : { contextWindow }
  const money = { reserveUsd: reserveUsd ?? 0, ...(reserveUsd === 0 ? { free: true as const } : {}) }
  return { driver, options, models, timeoutMs, idleTimeoutMs, ...money, permissions, allow, cheaper, ...window }
}

/** An order never drops a judge: those it does not name follow. */
const inOrder = (first: string[], all: string[]): string[] => [...first, ...all.filter((one) => !first.includes(one))]
