import type { ParserName, Severity } from './judging/finding.ts'
import type { Strategy } from './plan/plan.ts'
import type { Vantage } from './review/review.ts'

/** The settings a delivery runs under: pinned once as an event, changed only by a human's intent. */
export interface Policy {
  target: string
  gates: 'auto' | 'plan' | 'manual'
  land: 'end' | 'each'
  /** Nobody is there: an exhausted story fails instead of asking. */
  unattended: boolean
  /** What becomes of a story that needs a human when the deadline passes: it fails, or it is left out. */
  unanswered: 'fail' | 'skip'
  agents: Record<string, AgentPolicy>
  roles: Roles
  intent: IntentPolicy
  review: ReviewPolicy
  /** What to do with a coder's handoff that is only notes. */
  partialHandoff: 'proceed' | 'retry' | 'escalate'
  /** The file with the coding standards, which is part of every coding prompt; null: there is none. */
  constitution: string | null
  /** In the order in which they judge. */
  checks: CheckPolicy[]
  /**
   * Judges of code, in order: `inspection`, `related:<check>`, `check:<check>`, `guard:<check>`, `sensitivity`,
   * `witness`, `criteria`. Checks and, on the line, guards prove.
   */
  judges: string[]
  tests: TestsPolicy
  /**
   * Unattended, what becomes of a change that old tests do not hold for, where its coder maintains that it is meant so:
   * a human is asked, the reviewers judge it, or it is blocked.
   */
  changedTests: 'ask' | 'reviewers' | 'block'
  /** What becomes of changed lines that no test notices: nobody looks, they are told, or none noticed at all sends back. */
  mutation: 'off' | 'tell' | 'block'
  /** How tests come about in stories that do not say it themselves. */
  strategy: Exclude<Strategy, 'none'>
  /** Whether tests for the whole requirement are written before any code, and must pass on the result of all. */
  acceptance: boolean
  /** Tests (names, `*` for anything) whose failure is told and not charged. */
  quarantine: string[]
  setup: SetupPolicy | null
  /** Further paths (globs) that agents may not change. */
  protect: string[]
  /** What a story becomes on the line: one commit; what its coder made, commit by commit; or a merge of that. */
  mergeMethod: 'squash' | 'rebase' | 'merge'
  /** An ssh key that signs the proofs of what is merged; null: they are not signed. */
  signWith: string | null
  workspace: WorkspacePolicy
  limits: Limits
  /** When humans see questions: other hours do not count towards a deadline; null: all do. */
  workingHours: WorkingHours | null
  ceilings: Ceilings
  routing: Routing
  /** How agents and checks are kept to their places: `auto` confines where the machine can. */
  sandbox: 'auto' | 'bwrap' | 'none'
  /** Whether agents may reach the network. */
  egress: 'open' | 'closed'
}

/** What names and imports do not tell about tests; all of it globs. */
export interface TestsPolicy {
  /** Which tests belong to which sources. */
  related: Record<string, string[]>
  /** What only tests reach, so that it is judged as it was before a change. */
  material: string[]
  /** What looks like tests and is product. */
  product: string[]
}

export interface WorkingHours {
  /** 0 is Sunday. */
  days: number[]
  /** Minutes of the day. */
  from: number
  to: number
  /** Where they are, when it was pinned. */
  utcOffsetMinutes: number
}

export interface AgentPolicy {
  driver: string
  /** What the driver needs, already validated by it: command, script, environment names … */
  options: Record<string, unknown>
  /** Model per tier; an agent without them has one rung on the ladder. */
  models: Partial<Record<Tier, string>>
  timeoutMs: number
  idleTimeoutMs: number
  /** Set aside before each turn. */
  reserveUsd: number
  /** The user says that it costs nothing, as a model on their own machine: an unknown price is none. */
  free?: true
  /** Whether the agent works without asking (only where it is confined or a human agreed to it), or asks. */
  permissions: 'bypass' | 'ask'
  /** What it may do without a human when it asks: kinds such as `edit`, or `execute: npm test*`. */
  allow: string[]
  /** The model to go on with when a ceiling is near; null: there is none. */
  cheaper: string | null
  /** What its models can take at once, in tokens; without: what is known of models with such names. */
  contextWindow?: number
}

/** Programs of the user's own do as they are told: without a sandbox they are as free as they were written. */
export const isOwnProgram = ({ driver }: AgentPolicy): boolean => driver === 'command' || driver === 'scripted'

/** Whether it says itself what a turn has cost, at its end. */
export const tellsPrice = ({ driver }: AgentPolicy): boolean =>
  ['claude', 'opencode', 'acp', 'command', 'scripted'].includes(driver)

export interface Roles {
  /** Fallback chains, best first. */
  coder: string[]
  planner: string[]
  /** Who writes tests where others write the code; empty: as the coder. */
  testWriter: string[]
  /** Who judges what was written in three sessions; empty: the coder's chain from its end. */
  verifier: string[]
  /** Who says what is meant; empty: the requirement is taken as it stands. */
  interpreter: string[]
  /** Who looks for what is wrong with a reading, an assumption, a plan; empty: nobody does. */
  challenger: string[]
  /** Who sorts what reviewers found; empty: as the planner. */
  triager: string[]
}

export interface IntentPolicy {
  /** Nobody is asked what is meant; a line is still recorded. */
  skip: boolean
  /** When a human is asked whether it is meant so. */
  confirm: 'never' | 'uncertain' | 'always'
  /** Files (globs) that say what the project is and wants to be; empty: the usual ones. */
  identity: string[]
  /** Which addresses in a requirement are read: none, those of the public network, or also those near by. */
  fetch: 'none' | 'public' | 'any'
}

export interface ReviewPolicy {
  /** Each looks from one vantage point; empty: nobody reviews, and the end says so. */
  reviewers: { vantage: Vantage; agents: string[] }[]
  /** Whether a diff adds reviewers where it calls for them: a migration, an interface, security. */
  followDiff: boolean
  timeoutMs: number
  /** Which severities send the work back. */
  blocks: Severity[]
  /** Whether those who approved are asked about others' blocking findings. */
  rebuttal: boolean
  /** Whether findings are tried by a test that should fail. */
  verifyByTest: boolean
  /** What becomes of an agreement of one model with itself: a human is asked, or it is only told at the end. */
  unverified: 'ask' | 'tell'
}

export const tiers = ['fast', 'balanced', 'powerful'] as const
export type Tier = (typeof tiers)[number]

export interface Routing {
  /** Highest complexity that starts at this tier. */
  fast: number
  balanced: number
}

export interface CheckPolicy {
  name: string
  run: string
  fix: string | null
  timeoutMs: number
  /** Which output parser judges it; `auto` looks at the output, which then has to tell of tests. */
  parser: ParserName
  /** Where it leaves a machine-readable report, as a glob in the place; null: what it prints is its report. */
  report: string | null
  /** The command for single test files, which stand for `{files}`; null: it cannot run them alone. */
  related: string | null
  /** When all of it runs: on each story, on what is composed, or only on the result of all. */
  full: 'story' | 'merge' | 'end'
  /** Folders (globs) in which it runs, one by one; none: at the root. */
  packages: string[]
  /** What it needs beyond its place: the network though agents have none, the machine's containers, the user's home. */
  needs: Need[]
}

export const needs = ['network', 'docker', 'home'] as const
export type Need = (typeof needs)[number]

/** What a workspace and a clean place have besides their files. */
export interface WorkspacePolicy {
  /** How many ports are reserved for it, from `ROPEWALK_PORT` on. */
  ports: number
  /** Files of the user's checkout that git ignores and that it needs (globs), such as `.env.test`. */
  copy: string[]
  services: ServicePolicy[]
  /** For all workspaces and pools together; null: no bound. */
  quotaMb: number | null
}

/** Something that must be up while commands and agents run, with an instance for each place. */
export interface ServicePolicy {
  name: string
  up: string
  /** Exit code 0: it is ready. */
  health: string | null
  down: string | null
  timeoutMs: number
}

export interface SetupPolicy {
  run: string
  timeoutMs: number
  /** All that its result depends on in the place (globs), where it can be shared between places; none: not told. */
  reads?: string[]
}

/** Each loop's bound. Every one of them has a test that fails without it. */
export interface Limits {
  /** Agents at once. */
  agents: number
  /** Check runs at once. */
  checks: number
  storiesPerPlan: number
  planRepairs: number
  planRevisions: number
  planAudits: number
  /** A story above one of these is split, or asked about, before it is coded. */
  complexityPerStory: number
  filesPerStory: number
  criteriaPerStory: number
  /** Answers of a role that must answer and did not, before it counts as absent. */
  answerRetries: number
  /** Readings that may be asked for in all, however often they differ or fail. */
  readings: number
  reviewRounds: number
  /** Findings that are tried by a test, in a round. */
  reproductions: number
  /** What a challenger may ask of its model in one turn. */
  challengerTurns: number
  /** Stories that are specified anew because one before them departed from the plan. */
  replans: number
  roundsPerAttempt: number
  attemptsPerStory: number
  crashesPerAgent: number
  crashesPerStory: number
  mergesPerStory: number
  parksPerStory: number
  amendmentsPerStory: number
  turnsPerStory: number
  agentStartsPerDelivery: number
  /** Refusals of one agent and model in a row before the next agent of the chain takes over. */
  refusalsPerAgent: number
  judgeRetries: number
  /** Stories that are composed on top of each other and proven at once. */
  train: number
  /** Stories that may be added to mend the result of all. */
  fixStories: number
  flakyReruns: number
  /** Small breakages of a story's changed lines that are tried, and how long all of them may take together. */
  breakages: number
  breakagesMs: number
  landings: number
  /** Starts of one step without an outcome, that is crashes of ours, before the delivery is quarantined. */
  lostStartsPerStep: number
  questionDeadlineMs: number
}

export interface Ceilings {
  usdPerDelivery: number | null
  usdPerStory: number | null
  tokensPerDelivery: number | null
  tokensPerStory: number | null
  /** Of agents at work. */
  minutesPerDelivery: number | null
  minutesPerStory: number | null
  /** Over all deliveries of this home. */
  usdPerDay: number | null
  tokensPerDay: number | null
  minutesPerDay: number | null
}
