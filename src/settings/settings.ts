import type {
  AgentPolicy,
  Ceilings,
  CheckPolicy,
  Limits,
  Policy,
  Roles,
  Routing,
  SetupPolicy,
  Tier,
  WorkspacePolicy,
} from '../delivery/policy.ts'
import type { Driver } from './drivers.ts'

/** All layers together, checked, with defaults; what is still open is settled by facts in `toPolicy`. */
export interface Settings {
  /** Null: the branch that is checked out. */
  target: string | null
  gates: Policy['gates']
  land: Policy['land']
  unanswered: Policy['unanswered']
  agents: Record<string, AgentSettings>
  /** Null: whoever is fit for it. */
  roles: Omit<Roles, 'interpreter' | 'challenger'> & { interpreter: string[] | null; challenger: string[] | null }
  intent: Policy['intent']
  /** `reviewers` null: two, by whoever is fit for it. */
  review: Omit<Policy['review'], 'reviewers'> & { reviewers: Policy['review']['reviewers'] | null }
  partialHandoff: Policy['partialHandoff']
  constitution: string | null
  checks: CheckPolicy[]
  /** Those that are to go first, in order; the others follow in their own. */
  judges: string[]
  setup: SetupPolicy | null
  protect: string[]
  tests: Policy['tests']
  /** Null: the reviewers where there are some, else it is blocked. */
  changedTests: Policy['changedTests'] | null
  mutation: Policy['mutation']
  quarantine: string[]
  strategy: Policy['strategy']
  acceptance: boolean
  /** Whether new tests must fail without the change. */
  witness: boolean
  mergeMethod: Policy['mergeMethod']
  signWith: string | null
  workspace: WorkspacePolicy
  /** Of ended deliveries. Null: for ever. */
  keep: Record<'transcriptsDays' | 'workspacesDays' | 'archivesDays' | 'branchesDays', number | null>
  /** `checks` null: as many as there are cores. */
  limits: Omit<Limits, 'checks'> & { checks: number | null }
  ceilings: Ceilings
  routing: Routing
  sandbox: Policy['sandbox']
  egress: Policy['egress']
  /** As it was written. */
  workingHours: string | null
}

export interface AgentSettings {
  driver: Driver
  command: string[] | null
  /** Given to the agent's program besides our own arguments. */
  args: string[]
  script: string | null
  environment: string[]
  models: Partial<Record<Tier, string>>
  timeoutMs: number
  idleTimeoutMs: number
  /** Null: nobody has said. A 0 that is written down says that the agent is free. */
  reserveUsd: number | null
  permissions: AgentPolicy['permissions']
  allow: string[]
  cheaper: string | null
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
