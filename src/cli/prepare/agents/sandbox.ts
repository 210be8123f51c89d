import type { Policy } from '../../../delivery/policy.ts'

export interface Refused {
  problem: string
  remedy: string
}

/** Commands of the user's own and scripts are trusted as the user's own work is. */
const trusted = ['command', 'scripted']

export const isConfined = (driver: string): boolean => !trusted.includes(driver)

/** Agents of the roles that are to be confined. */
export function confinedAgents({ agents, roles }: Pick<Policy, 'agents' | 'roles'>): string[] {
  const names = [...new Set(Object.values(roles).flat())]
  return names.filter((name) => isConfined(agents[name]?.driver ?? ''))
}

/** Agents that ask nobody must be confined, unless somebody has said that they need not be. */
export function sandboxProblem(policy: Policy, unconfinable: string | null): Refused | null {
  const names = confinedAgents(policy)
  if (unconfinable === null || policy.sandbox === 'none' || names.length === 0) return null
  const free = names.filter((name) => policy.agents[name]?.permissions === 'bypass')
  if (policy.sandbox === 'auto' && free.length === 0) return null
  return {
    problem: `agents cannot be confined on this machine: ${unconfinable}; unconfined, ${(free.length === 0 ? names : free).join(' and ')} could do whatever you can`,
    remedy: 'install bubblewrap (Linux), or set `sandbox: none` if agents may work as freely as you',
  }
}

/** What `auto` comes to where nothing can be confined: only agents that ask are left. */
export const sandboxOf = (policy: Policy, unconfinable: string | null): Policy['sandbox'] =>
  policy.sandbox === 'auto' && unconfinable !== null ? 'none' : policy.sandbox
