// Plain values that the tests of the law are written with.
import type { DeliveryEvent } from '../../src/delivery/events.ts'
import { evolve } from '../../src/delivery/evolve.ts'
import type { Intent } from '../../src/delivery/intents.ts'
import type { Finding, Verdict } from '../../src/delivery/judging/finding.ts'
import type { Turn } from '../../src/delivery/money/ledger.ts'
import type { Story } from '../../src/delivery/plan/plan.ts'
import type { AgentPolicy, Ceilings, CheckPolicy, Limits, Policy, Roles } from '../../src/delivery/policy.ts'
import { baseStep, type Moment } from '../../src/delivery/shared/room.ts'
import type { DeliveryState } from '../../src/delivery/state.ts'
import { initialState } from '../../src/delivery/state.ts'
import { checkDefaults, defaults } from '../default-settings.ts'

export const defaultLimits: Limits = { ...defaults.limits, checks: 2 }

export const limitsOfTwo: Limits = {
  agents: 2,
  checks: 2,
  storiesPerPlan: 2,
  planRepairs: 2,
  planRevisions: 2,
  planAudits: 2,
  complexityPerStory: 13,
  filesPerStory: 30,
  criteriaPerStory: 15,
  answerRetries: 2,
  readings: 2,
  reviewRounds: 2,
  reproductions: 2,
  challengerTurns: 15,
  replans: 0,
  roundsPerAttempt: 2,
  attemptsPerStory: 2,
  crashesPerAgent: 2,
  crashesPerStory: 2,
  mergesPerStory: 2,
  parksPerStory: 2,
  amendmentsPerStory: 2,
  turnsPerStory: 2,
  agentStartsPerDelivery: 5000,
  refusalsPerAgent: 2,
  judgeRetries: 2,
  train: 2,
  fixStories: 2,
  flakyReruns: 2,
  breakages: 2,
  breakagesMs: 1000,
  landings: 2,
  lostStartsPerStep: 2,
  questionDeadlineMs: 1000,
}

export const noCeilings: Ceilings = {
  usdPerDelivery: null,
  usdPerStory: null,
  tokensPerDelivery: null,
  tokensPerStory: null,
  minutesPerDelivery: null,
  minutesPerStory: null,
  usdPerDay: null,
  tokensPerDay: null,
  minutesPerDay: null,
}

export const agent = (given: Partial<AgentPolicy> = {}): AgentPolicy => ({
  driver: 'scripted',
  options: {},
  models: {},
  timeoutMs: 1000,
  idleTimeoutMs: 1000,
  reserveUsd: 0,
  permissions: 'bypass',
  allow: [],
  cheaper: null,
  ...given,
})

/** It can run single tests, so that they can be shown to fail. */
export const single = (full: CheckPolicy['full'] = 'story'): CheckPolicy => ({
  ...suite(full),
  related: 'npm test {files}',
})

/** The one check, and when all of it runs. */
export const suite = (full: CheckPolicy['full']): CheckPolicy => ({
  ...checkDefaults,
  name: 'test',
  run: 'npm test',
  timeoutMs: 1000,
  full,
})

type Given = Partial<Omit<Policy, 'limits' | 'roles'>> & { limits?: Partial<Limits>; roles?: Partial<Roles> }

/** One check, no gate, nobody there. */
export function policy(given: Given = {}): Policy {
  const { limits, roles, ...rest } = given
  return {
    target: 'main',
    gates: 'auto',
    land: 'end',
    unattended: true,
    unanswered: 'fail',
    agents: { mine: agent() },
    checks: [suite('story')],
    judges: ['check:test'],
    setup: null,
    protect: [],
    tests: defaults.tests,
    changedTests: 'block',
    mutation: 'off',
    strategy: 'after',
    acceptance: false,
    quarantine: [],
    mergeMethod: 'squash',
    signWith: null,
    workspace: defaults.workspace,
    ceilings: noCeilings,
    intent: defaults.intent,
    review: { ...defaults.review, reviewers: [] },
    partialHandoff: 'proceed',
    constitution: null,
    sandbox: 'auto',
    egress: 'open',
    workingHours: null,
    routing: { fast: 3, balanced: 5 },
    ...rest,
    roles: {
      coder: ['mine'],
      planner: [],
      testWriter: [],
      verifier: [],
      interpreter: [],
      challenger: [],
      triager: [],
      ...roles,
    },
    limits: { ...defaultLimits, ...limits },
  }
}

export const story = (id: string, given: Partial<Omit<Story, 'id'>> = {}): Story => ({
  id,
  title: id,
  description: '',
  criteria: [],
  dependsOn: [],
  complexity: 1,
  files: [],
  contextFiles: [],
  risks: [],
  mayChange: [],
  mayBeEmpty: false,
  strategy: null,
  noTestsBecause: '',
  tests: 'witnessed',
  proofs: [],
  ...given,
})

export const request = (pinned: Policy, stories: Story[] | null): Intent => ({
  type: 'RequestDelivery',
  requirement: { text: 'Make it so', source: 'text', submitter: 'somebody' },
  repository: { id: 'r', path: '/r' },
  target: 'main',
  base: 'c0',
  policy: pinned,
  policyHash: 'p1',
  plan: stories === null ? null : { stories, outline: null },
  review: null,
})

export const requested = (pinned: Policy, stories: Story[] | null): DeliveryEvent[] => [
  {
    type: 'DeliveryRequested',
    requirement: { text: 'Make it so', source: 'text', submitter: 'somebody' },
    repository: { id: 'r', path: '/r' },
    target: 'main',
    base: 'c0',
    review: null,
  },
  { type: 'PolicyPinned', policy: pinned, hash: 'p1' },
  ...(stories === null
    ? []
    : [
        {
          type: 'PlanGiven' as const,
          plan: { stories, outline: null },
          revision: 1,
          cause: 'given with the requirement',
        },
      ]),
]

/** The same, where it is known what the checks show of the base. */
export function begunOn(pinned: Policy, stories: Story[] | null): DeliveryEvent[] {
  const events = requested(pinned, stories)
  const step = baseStep(fold(events))
  if (step === null) return events
  const started = { type: 'StepStarted', step, try: 1, worker: 'w', mark: 'm', reserveUsd: 0 } as const
  return [...events, started, { type: 'BaseTried', step: step.id, base: step.base, told: [] }]
}

export const turnOf = (id: string | null, given: Partial<Turn> = {}): Turn => ({
  story: id,
  role: id === null ? 'planner' : 'coder',
  agent: 'mine',
  model: null,
  usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 },
  usd: 1,
  exact: true,
  price: 'told',
  durationMs: 1,
  ...given,
})

export const fold = (events: DeliveryEvent[], at = 0): DeliveryState =>
  events.reduce((state, event) => apply(state, event, at), initialState('d'))

export const apply = (state: DeliveryState, event: DeliveryEvent, at: number): DeliveryState =>
  evolve(state, { delivery: 'd', version: state.version + 1, at, event })

export const moment = (at: number): Moment => ({ at, day: '2026-01-01', open: true, changesAt: null })

export const finding = (source: string, message = 'red'): Finding => ({
  source,
  rule: 'wrong',
  severity: 'blocking',
  file: null,
  line: null,
  message,
  evidence: '',
  fingerprint: `${source}/${message}`,
  fixTarget: 'code',
})

export const passed: Verdict = { status: 'passed', proof: null, concerns: [] }
export const noVerdict: Verdict = { status: 'none', reason: 'it died' }
export const red = (judge: string, failures = 1, message = 'red'): Verdict => ({
  status: 'findings',
  findings: [finding(judge, message)],
  failures,
  proof: null,
  concerns: [],
})
