import type { AgentPolicy, Policy } from '../delivery/policy.ts'
import { hashOf } from '../std/hash.ts'
import { optionsOfDriver } from './drivers.ts'
import type { AgentSettings, Settings } from './settings.ts'

export interface Facts {
  cores: number
  /** Used where no target is configured. */
  currentBranch: string
  unattended: boolean
}

/** What is pinned for a delivery. */
export function toPolicy(settings: Settings, facts: Facts): Policy {
  const { agents, judges, target, limits, witness, ...rest } = settings
  return {
    ...rest,
    target: target ?? facts.currentBranch,
    unattended: facts.unattended,
    agents: Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, agentPolicy(agent)])),
    judges: inOrder(judges, judgesOf(settings)),
    limits: { ...limits, checks: limits.checks ?? facts.cores },
  }
}

/** The cheap ones first. */
export function judgesOf({ checks, witness }: Settings): string[] {
  const related = checks.flatMap(({ name, related }) => (related === null ? [] : [`related:${name}`]))
  const all = ['inspection', ...related, ...checks.map(({ name }) => `check:${name}`)]
  return [...all, ...(witness && related.length > 0 ? ['witness'] : []), 'criteria']
}

export const policyHash = (policy: Policy): string => hashOf(policy)

export function agentPolicy(agent: AgentSettings): AgentPolicy {
  const { driver, environment, models, timeoutMs, idleTimeoutMs, reserveUsd, permissions, allow, cheaper } = agent
  const taken = optionsOfDriver[driver].takes.filter((key) => agent[key] !== null)
  // The user's own commands and scripts have nobody to ask.
  const asking = driver === 'command' || driver === 'scripted' ? {} : { permissions }
  const options = { ...Object.fromEntries(taken.map((key) => [key, agent[key]])), environment, ...asking }
  const money = { reserveUsd: reserveUsd ?? 0, ...(reserveUsd === 0 ? { free: true as const } : {}) }
  return { driver, options, models, timeoutMs, idleTimeoutMs, ...money, permissions, allow, cheaper }
}

/** An order never drops a judge: those it does not name follow. */
const inOrder = (first: string[], all: string[]): string[] => [...first, ...all.filter((one) => !first.includes(one))]
