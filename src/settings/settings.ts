import type { AgentPolicy, Limits, Policy, Roles, Tier } from '../delivery/policy.ts'
import type { Driver } from './drivers.ts'

type Settled = 'target' | 'unattended' | 'agents' | 'roles' | 'review' | 'changedTests' | 'limits' | 'workingHours'

/** All layers together, checked, with defaults; what is still open is settled by facts in `toPolicy`. */
export interface Settings extends Omit<Policy, Settled> {
  /** Null: the branch that is checked out. */
  target: string | null
  agents: Record<string, AgentSettings>
  /** Null: whoever is fit for it. */
  roles: Omit<Roles, 'interpreter' | 'challenger'> & { interpreter: string[] | null; challenger: string[] | null }
  /** `reviewers` null: two, by whoever is fit for it. */
  review: Omit<Policy['review'], 'reviewers'> & { reviewers: Policy['review']['reviewers'] | null }
  /** Those that are to go first, in order; the others follow in their own. */
  judges: string[]
  /** Null: the reviewers where there are some, else it is blocked. */
  changedTests: Policy['changedTests'] | null
  /** Whether new tests must fail without the change. */
  witness: boolean
  /** Of ended deliveries. Null: for ever. */
  keep: Record<'transcriptsDays' | 'workspacesDays' | 'archivesDays' | 'branchesDays', number | null>
  /** `checks` null: as many as there are cores. */
  limits: Omit<Limits, 'checks'> & { checks: number | null }
  /** As it was written. */
  workingHours: string | null
}

export interface AgentSettings
  extends Pick<AgentPolicy, 'timeoutMs' | 'idleTimeoutMs' | 'permissions' | 'allow' | 'cheaper'> {
  driver: Driver
  command: string[] | null
  /** Given to the agent's program besides our own arguments. */
  args: string[]
  script: string | null
  environment: string[]
  models: Partial<Record<Tier, string>>
  /** Null: nobody has said. A 0 that is written down says that the agent is free. */
  reserveUsd: number | null
  contextWindow: number | null
  /** `own`: nothing of the user's plugins, hooks and memory; only the sign-in is shared. */
  home: 'own' | 'user'
  /** The model service of the built-in agent. */
  api: ApiSettings | null
}

export interface ApiSettings {
  type: 'anthropic' | 'openai' | 'google' | 'compatible'
  /** Null: the vendor's own address. */
  url: string | null
  /** The environment variable that holds the key; null: the vendor's usual one, or none. */
  key: string | null
}
