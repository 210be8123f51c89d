import type { Ceilings, CheckPolicy, Limits, Policy, Roles, Routing, SetupPolicy, Tier } from '../delivery/policy.ts'

/** All layers together, checked, with defaults; what is still open is settled by facts in `toPolicy`. */
export interface Settings {
  /** Null: the branch that is checked out. */
  target: string | null
  gates: Policy['gates']
  land: Policy['land']
  agents: Record<string, AgentSettings>
  roles: Roles
  checks: CheckPolicy[]
  /** Those that are to go first, in order; the others follow in their own. */
  judges: string[]
  setup: SetupPolicy | null
  protect: string[]
  /** `checks` null: as many as there are cores. */
  limits: Omit<Limits, 'checks'> & { checks: number | null }
  ceilings: Ceilings
  routing: Routing
}

export interface AgentSettings {
  driver: 'command' | 'scripted'
  command: string[] | null
  script: string | null
  environment: string[]
  models: Partial<Record<Tier, string>>
  timeoutMs: number
  idleTimeoutMs: number
  reserveUsd: number
}
