import { isOwnProgram, type Policy } from '../../delivery/policy.ts'

export interface Refused {
  problem: string
  remedy: string
}

/** Agents of the roles. */
export const agentsAtWork = ({ roles }: Pick<Policy, 'roles'>): string[] => [...new Set(Object.values(roles).flat())]

/** Agents that ask nobody must be confined, unless somebody has said that they need not be. */
export function sandboxProblem(policy: Policy, unconfinable: string | null): Refused | null {
  if (unconfinable === null || policy.sandbox === 'none') return null
  const names = agentsAtWork(policy).filter((name) => !isOwnProgram(policy.agents[name]!))
  const free = names.filter((name) => policy.agents[name]?.permissions === 'bypass')
  if (policy.sandbox === 'auto' && free.length === 0) return null
  const who = [...(free.length === 0 ? names : free), ...(policy.sandbox === 'bwrap' ? ['checks'] : [])]
  return {
    problem: `agents cannot be confined on this machine: ${unconfinable}; unconfined, ${who.join(' and ')} could do whatever you can`,
    remedy: 'install bubblewrap (Linux), or set `sandbox: none` if agents may work as freely as you',
  }
}
