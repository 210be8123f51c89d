import type { Ceilings, CheckPolicy, Limits } from '../delivery/policy.ts'
import type { Driver } from './drivers.ts'
import type { AgentSettings, Settings } from './settings.ts'

const minuteMs = 60_000

/** Each limit with its default and the least that is allowed; `Ms`: milliseconds. */
export const limitTable = {
  agents: [3, 1],
  checks: [null, 1],
  storiesPerPlan: [500, 1],
  planRepairs: [1, 0],
  planRevisions: [5, 0],
  planAudits: [2, 0],
  complexityPerStory: [13, 1],
  filesPerStory: [30, 1],
  criteriaPerStory: [15, 1],
  answerRetries: [2, 0],
  readings: [8, 1],
  reviewRounds: [3, 1],
  reproductions: [3, 0],
  challengerTurns: [15, 1],
  replans: [5, 0],
  roundsPerAttempt: [3, 1],
  attemptsPerStory: [5, 1],
  crashesPerAgent: [2, 0],
  crashesPerStory: [5, 0],
  mergesPerStory: [3, 1],
  parksPerStory: [50, 0],
  amendmentsPerStory: [5, 0],
  turnsPerStory: [40, 1],
  agentStartsPerDelivery: [5000, 1],
  refusalsPerAgent: [3, 1],
  judgeRetries: [2, 0],
  train: [16, 1],
  fixStories: [2, 0],
  flakyReruns: [2, 0],
  breakages: [12, 0],
  breakagesMs: [2 * minuteMs, 1],
  landings: [5, 1],
  lostStartsPerStep: [3, 1],
  questionDeadlineMs: [240 * minuteMs, 1],
} satisfies Record<keyof Limits, [number | null, number]>

/** Each ceiling with what it is counted in. There is none by default. */
export const ceilingTable = {
  usdPerDelivery: 'US dollars',
  usdPerStory: 'US dollars',
  usdPerDay: 'US dollars',
  tokensPerDelivery: 'tokens',
  tokensPerStory: 'tokens',
  tokensPerDay: 'tokens',
  minutesPerDelivery: 'minutes',
  minutesPerStory: 'minutes',
  minutesPerDay: 'minutes',
} satisfies Record<keyof Ceilings, string>

/** The same keys, each with what is made of its value. */
export const mapped = <Key extends string, From, To>(
  table: Record<Key, From>,
  make: (from: From, key: Key) => To,
): Record<Key, To> =>
  Object.fromEntries(Object.entries(table).map(([key, from]) => [key, make(from as From, key as Key)])) as Record<
    Key,
    To
  >

/** What holds where no layer says otherwise. */
export const defaults: Settings = {
  target: null,
  gates: 'plan',
  unanswered: 'fail',
  land: 'end',
  agents: {},
  roles: { coder: [], planner: [], testWriter: [], verifier: [], interpreter: null, challenger: null, triager: [] },
  intent: { skip: false, confirm: 'uncertain', identity: [], fetch: 'public' },
  review: {
    reviewers: null,
    followDiff: true,
    timeoutMs: 3 * minuteMs,
    blocks: ['blocking', 'important'],
    rebuttal: true,
    verifyByTest: false,
    unverified: 'ask',
  },
  partialHandoff: 'proceed',
  constitution: null,
  checks: [],
  judges: [],
  setup: null,
  protect: [],
  tests: { related: {}, material: [], product: [] },
  changedTests: null,
  mutation: 'block',
  quarantine: [],
  strategy: 'after',
  acceptance: false,
  witness: true,
  mergeMethod: 'squash',
  signWith: null,
  workspace: { ports: 0, copy: [], services: [], quotaMb: null },
  keep: { transcriptsDays: 90, workspacesDays: 0, archivesDays: 180, branchesDays: 180 },
  limits: mapped(limitTable, ([usual]) => usual) as Settings['limits'],
  ceilings: mapped(ceilingTable, () => null),
  routing: { fast: 3, balanced: 5 },
  sandbox: 'auto',
  egress: 'open',
  workingHours: null,
}

export const agentDefaults: Omit<AgentSettings, 'driver'> = {
  command: null,
  args: [],
  home: 'own',
  api: null,
  permissions: 'bypass',
  allow: ['read', 'search', 'edit'],
  cheaper: null,
  contextWindow: null,
  script: null,
  environment: [],
  models: {},
  timeoutMs: 60 * minuteMs,
  idleTimeoutMs: 15 * minuteMs,
  reserveUsd: null,
}

/** An agent of which nobody has said more than what drives it. */
export const plainAgent = (driver: Driver): AgentSettings => ({ ...agentDefaults, driver })

export const checkDefaults: Omit<CheckPolicy, 'name' | 'run'> = {
  fix: null,
  timeoutMs: 10 * minuteMs,
  parser: 'auto',
  report: null,
  related: null,
  full: 'story',
  packages: [],
  needs: [],
}

export const serviceDefaults = { health: null, down: null, timeoutMs: minuteMs }

export const setupDefaults = { timeoutMs: 10 * minuteMs, reads: [] as string[] }
