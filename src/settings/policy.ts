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
  const { keep: _ofTheMachine, witness: _aJudge, ...rest } = settings
  const { target, agents, review, judges, changedTests, limits, workingHours: hours } = settings
  const seats = review.reviewers?.map(seated(settings)) ?? reviewersOf(settings)
  return {
    ...rest,
    target: target ?? facts.currentBranch,
    unattended: facts.unattended,
    agents: Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, agentPolicy(agent)])),
    roles: rolesOf(settings),
    review: { ...review, reviewers: seats },
    // An order never drops a judge: those it does not name follow.
    judges: [...new Set([...judges, ...judgesOf(settings)])],
    changedTests: changedTests ?? (seats.length > 0 ? 'reviewers' : 'block'),
    limits: { ...limits, checks: limits.checks ?? facts.cores },
    workingHours: hours === null ? null : workingHours(hours, facts.utcOffsetMinutes),
  }
}

/** Where nobody is named, those who can think for themselves: whoever plans reads, and others than the first coder doubt. */
function rolesOf(settings: Settings): Policy['roles'] {
  const { interpreter, challenger, ...rest } = settings.roles
  return {
    ...rest,
    interpreter: interpreter ?? thinking(settings, rest.planner),
    challenger: challenger ?? thinking(settings, rest.coder.toReversed()),
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
  const { driver, environment, reserveUsd, contextWindow, command, args, script, home, api, ...shared } = agent
  const own = { command, args, script, home, api }
  const taken = optionsOfDriver[driver].takes.filter((key) => own[key] !== null)
  // The user's own commands and scripts have nobody to ask.
  const asking = driver === 'command' || driver === 'scripted' ? {} : { permissions: agent.permissions }
  const options = { ...Object.fromEntries(taken.map((key) => [key, own[key]])), environment, ...asking }
  const window = contextWindow === null ? {} : { contextWindow }
  const money = { reserveUsd: reserveUsd ?? 0, ...(reserveUsd === 0 ? { free: true as const } : {}) }
  return { driver, options, ...shared, ...money, ...window }
}
