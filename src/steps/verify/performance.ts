import type { CheckPolicy, Policy } from '../../delivery/policy.ts'
import { initialState } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Statement } from '../../proof/statement/statement.ts'
import { judgeOf } from '../check/run-check.ts'

/** The judgement as the delivery once made it, of what the statement says; no delivery stands behind it now. */
export function asPerformance(
  { predicate }: Statement,
  check: CheckPolicy,
  { mark, signal, pinned }: { mark: string; signal: AbortSignal; pinned: Policy | null },
): Performance<Judge> {
  const { provenBy } = predicate.ropewalk_proof
  const { commit, tree } = provenBy
  const judge = `check:${check.name}`
  const step = judgeOf(judge, { id: 'verify', story: null, scope: 'whole', base: commit, commit, tree })
  const nowhere = { requirement: { text: '', source: '', submitter: '' }, repository: { id: '', path: '' }, target: '' }
  const request = { ...nowhere, base: commit, review: null, at: 0 }
  const state = { ...initialState('verify'), request, policy: { ...policyOf(predicate, check), ...freedomOf(pinned) } }
  return { step, state, try: 1, mark, signal, record: async () => {} }
}

/** What nobody here vouches for is confined where the machine can. */
const freedomOf = (pinned: Policy | null): Pick<Policy, 'sandbox' | 'egress'> => ({
  sandbox: pinned?.sandbox ?? 'auto',
  egress: pinned?.egress ?? 'open',
})

function policyOf({ ropewalk_proof: { setup, workspace } }: Statement['predicate'], check: CheckPolicy): Policy {
  return {
    ...plain,
    checks: [check],
    judges: [`check:${check.name}`],
    setup,
    workspace: { ...workspace, quotaMb: null },
  }
}

const plain: Omit<Policy, 'checks' | 'judges' | 'setup' | 'workspace'> = {
  target: '',
  gates: 'auto',
  unanswered: 'fail',
  land: 'end',
  unattended: true,
  agents: {},
  roles: {
    ...{ coder: [], planner: [], testWriter: [], verifier: [] },
    ...{ interpreter: [], challenger: [], triager: [] },
  },
  intent: { skip: true, confirm: 'never', identity: [], fetch: 'none' },
  review: {
    reviewers: [],
    followDiff: false,
    timeoutMs: 1,
    blocks: [],
    rebuttal: false,
    verifyByTest: false,
    unverified: 'tell',
  },
  partialHandoff: 'proceed',
  constitution: null,
  tests: { related: {}, material: [], product: [] },
  changedTests: 'block',
  mutation: 'off',
  strategy: 'after',
  acceptance: false,
  quarantine: [],
  protect: [],
  mergeMethod: 'squash',
  signWith: null,
  limits: {
    ...{ agents: 1, checks: 1, storiesPerPlan: 1, planRepairs: 0, planRevisions: 0, roundsPerAttempt: 1 },
    ...{ planAudits: 0, complexityPerStory: 1, filesPerStory: 1, criteriaPerStory: 1, answerRetries: 0 },
    ...{ readings: 1, reviewRounds: 1, reproductions: 0, challengerTurns: 1, replans: 0 },
    ...{ attemptsPerStory: 1, crashesPerAgent: 0, crashesPerStory: 0, mergesPerStory: 1, parksPerStory: 0 },
    ...{ amendmentsPerStory: 0, turnsPerStory: 1, agentStartsPerDelivery: 1, refusalsPerAgent: 1, judgeRetries: 0 },
    ...{ train: 1, fixStories: 0, flakyReruns: 0, landings: 1, lostStartsPerStep: 1, questionDeadlineMs: 1 },
    ...{ breakages: 0, breakagesMs: 1 },
  },
  ceilings: {
    ...{ usdPerDelivery: null, usdPerStory: null, usdPerDay: null, tokensPerDelivery: null, tokensPerStory: null },
    ...{ tokensPerDay: null, minutesPerDelivery: null, minutesPerStory: null, minutesPerDay: null },
  },
  routing: { fast: 1, balanced: 1 },
  sandbox: 'auto',
  egress: 'open',
  workingHours: null,
}
