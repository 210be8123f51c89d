import type { CheckPolicy, Policy, Roles } from '../delivery/policy.ts'
import type { Driver } from './drivers.ts'
import type { agentDefaults, SettingsFile } from './schema.ts'

type Settled = 'agents' | 'roles' | 'review' | 'checks' | 'workspace'

/** All layers together, checked, with defaults; what is still null is settled by facts in `toPolicy`. */
export interface Settings extends Omit<SettingsFile, Settled> {
  agents: Record<string, AgentSettings>
  /** Null: whoever is fit for it. */
  roles: Omit<Roles, 'interpreter' | 'challenger'> & { interpreter: string[] | null; challenger: string[] | null }
  /** `reviewers` null: two, by whoever is fit for it. */
  review: Omit<Policy['review'], 'reviewers'> & { reviewers: Policy['review']['reviewers'] | null }
  checks: CheckPolicy[]
  workspace: Policy['workspace']
}

/** `reserveUsd` null: nobody has said; a 0 that is written down says that the agent is free. */
export type AgentSettings = typeof agentDefaults & { driver: Driver }

/** The model service of the built-in agent: without an address at the vendor's own, without a key by its usual one. */
export type ApiSettings = NonNullable<AgentSettings['api']>
