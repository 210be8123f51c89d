import type { CheckPolicy } from '../delivery/policy.ts'
import type { Driver } from './drivers.ts'
import type { AgentSettings, Settings } from './settings.ts'

const minuteMs = 60_000

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
  limits: {
    agents: 3,
    checks: null,
    storiesPerPlan: 500,
    planRepairs: 1,
    planRevisions: 5,
    planAudits: 2,
    complexityPerStory: 13,
    filesPerStory: 30,
    criteriaPerStory: 15,
    answerRetries: 2,
    readings: 8,
    reviewRounds: 3,
    reproductions: 3,
    challengerTurns: 15,
    replans: 5,
    roundsPerAttempt: 3,
    attemptsPerStory: 5,
    crashesPerAgent: 2,
    crashesPerStory: 5,
    mergesPerStory: 3,
    parksPerStory: 50,
    amendmentsPerStory: 5,
    turnsPerStory: 40,
    agentStartsPerDelivery: 5000,
    refusalsPerAgent: 3,
    judgeRetries: 2,
    train: 16,
    fixStories: 2,
    flakyReruns: 2,
    breakages: 12,
    breakagesMs: 2 * minuteMs,
    landings: 5,
    lostStartsPerStep: 3,
    questionDeadlineMs: 240 * minuteMs,
  },
  ceilings: {
    usdPerDelivery: null,
    usdPerStory: null,
    usdPerDay: null,
    tokensPerDelivery: null,
    tokensPerStory: null,
    tokensPerDay: null,
    minutesPerDelivery: null,
    minutesPerStory: null,
    minutesPerDay: null,
  },
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
