import type { PromptSource } from '../../delivery/agents/prompt-source.ts'
import type { DeliveryEvent } from '../../delivery/events.ts'
import { noHandoff } from '../../delivery/handoff/handoff.ts'
import type { Interpretation } from '../../delivery/intent/interpretation.ts'
import type { Story } from '../../delivery/plan/plan.ts'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../errors.ts'

/** The shape in which events are written today. */
export const schemaNumber = 8

/** Turns an event of any shape ever written into today's; the only place that knows earlier shapes. */
export function lift(schema: number, event: DeliveryEvent): DeliveryEvent {
  if (schema > schemaNumber) throw newerThanUs(schema)
  return schema < schemaNumber && event !== null ? (lifted(schema, event) as DeliveryEvent) : event
}

/** What earlier numbers did not have yet is as it was then. */
function lifted(schema: number, event: DeliveryEvent): object {
  switch (event.type) {
    case 'DeliveryRequested':
      return { ...nothingReviewed, ...event }
    case 'AgentStarted':
      return { ...sourceBefore(event.role), ...event }
    case 'AgentRefused':
      return { ...noAccount, ...event }
    case 'PlanGiven':
    case 'PlanDrafted':
      return { ...event, plan: { ...noOutline, ...event.plan, stories: event.plan.stories.map(storyBefore) } }
    case 'FixStoryAdded':
      return { ...event, spec: storyBefore(event.spec) }
    case 'StoryAmended':
      return { ...event, changes: { ...event.changes, ...hadNoTests(event.changes) } }
    case 'CoderAsked':
      return { earlier: true, ...event }
    case 'StoryCoded':
      return { ...silent, ...event }
    case 'RequirementRead':
      return { ...event, interpretation: interpretationBefore(event.interpretation) }
    case 'ContextHarvested':
      return { ...event, context: { ...unreferred, ...event.context } }
    case 'PolicyPinned':
      return { ...event, policy: policyBefore(schema, event.policy), waits: true }
    default:
      return event
  }
}

const nothingReviewed: object = { review: null }
/** It was not said what they were made of. */
const sourceBefore = (prompt: string): object => {
  const promptSource: PromptSource = { prompt, override: null, hash: '', isolation: 'custom', sections: [] }
  return { promptSource }
}

const noAccount = { account: '' }
const noOutline: object = { outline: null }
const silent: object = { handoff: noHandoff }
const plainStory = { contextFiles: [], risks: [], strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] }
const withoutTests = { strategy: 'none', noTestsBecause: 'it was said to have none', tests: 'witnessed' }

/** That a story has no tests was said in the place of their kind. */
const hadNoTests = ({ tests }: Partial<Story>): object => ((tests as string | undefined) === 'none' ? withoutTests : {})

const storyBefore = (story: Story): object => ({ ...plainStory, ...story, ...hadNoTests(story) })

const plainCheck = { report: null, related: null, full: 'story', packages: [], needs: [] }
const plainLimits = {
  ...{ train: 1, fixStories: 0, planAudits: 0, complexityPerStory: 13, filesPerStory: 1_000, criteriaPerStory: 1_000 },
  ...{ answerRetries: 2, readings: 1, reviewRounds: 1, reproductions: 0, challengerTurns: 15, replans: 0 },
  ...{ breakages: 0, breakagesMs: 1 },
}
const plainRoles = { testWriter: [], verifier: [], interpreter: [], challenger: [], triager: [] }
const noReview = {
  ...{ reviewers: [], followDiff: false, timeoutMs: 180_000, blocks: ['blocking', 'important'] },
  ...{ rebuttal: false, verifyByTest: false, unverified: 'tell' },
}
const lackingNothing = { missing: [] }
const unclaimed = { examples: [] }

const interpretationBefore = (said: Interpretation): object => ({
  ...{ ...lackingNothing, ...said },
  reading: { ...unclaimed, ...said.reading },
  rivals: said.rivals.map((rival) => ({ ...rival, reading: { ...unclaimed, ...rival.reading } })),
})

const unreferred: object = { references: [] }
const unread = { skip: true, confirm: 'never', identity: [], fetch: 'none', earlier: true }
const plainPolicy = {
  unanswered: 'skip',
  partialHandoff: 'proceed',
  constitution: null,
  workingHours: null,
  changedTests: 'block',
  mutation: 'off',
  quarantine: [],
  strategy: 'after',
  acceptance: false,
  mergeMethod: 'squash',
  signWith: null,
  workspace: { ports: 0, copy: [], services: [], quotaMb: null },
}

const policyBefore = (schema: number, policy: Policy): object => ({
  ...plainPolicy,
  ...(schema < 5 ? { earlier: true } : {}),
  ...policy,
  tests: schema < 7 ? { related: policy.tests ?? {}, material: [], product: [] } : policy.tests,
  intent: { ...unread, ...policy.intent },
  review: { ...noReview, ...policy.review },
  checks: policy.checks.map((check) => ({ ...plainCheck, ...check })),
  limits: { ...plainLimits, ...policy.limits },
  roles: { ...plainRoles, ...policy.roles },
})

export function newerThanUs(schema: number): TerminalError {
  return new TerminalError(
    `the log was written by a newer ropewalk (schema ${schema}, this one knows ${schemaNumber})`,
    'upgrade ropewalk',
  )
}
