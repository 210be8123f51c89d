import type { DeliveryEvent } from '../../delivery/events.ts'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../errors.ts'

/** The shape in which events are written today. */
export const schemaNumber = 3

/** Turns an event of any shape ever written into today's; the only place that knows earlier shapes. */
export function lift(schema: number, event: DeliveryEvent): DeliveryEvent {
  if (schema > schemaNumber) throw newerThanUs(schema)
  return schema < schemaNumber ? (lifted(event) as DeliveryEvent) : event
}

/** What earlier numbers did not have yet is as it was then. */
function lifted(event: DeliveryEvent): object {
  switch (event.type) {
    case 'AgentRefused':
      return { ...noAccount, ...event }
    case 'PlanGiven':
    case 'PlanDrafted':
      return { ...event, plan: { stories: event.plan.stories.map((story) => ({ ...plainStory, ...story })) } }
    case 'PolicyPinned':
      return { ...event, policy: policyBefore(event.policy) }
    default:
      return event
  }
}

const noAccount = { account: '' }
const plainStory = { tests: 'witnessed', proofs: [] }
const plainCheck = { report: null, related: null, full: 'story', packages: [] }
const plainLimits = { train: 1, fixStories: 0 }
const plainPolicy = {
  tests: {},
  quarantine: [],
  mergeMethod: 'squash',
  signWith: null,
  workspace: { ports: 0, copy: [], services: [], quotaMb: null },
}

const policyBefore = (policy: Policy): object => ({
  ...plainPolicy,
  ...policy,
  checks: policy.checks.map((check) => ({ ...plainCheck, ...check })),
  limits: { ...plainLimits, ...policy.limits },
})

export function newerThanUs(schema: number): TerminalError {
  return new TerminalError(
    `the log was written by a newer ropewalk (schema ${schema}, this one knows ${schemaNumber})`,
    'upgrade ropewalk',
  )
}
