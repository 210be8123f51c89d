import { hashOf } from '../../std/hash.ts'
import type { Refusal, Stepping } from '../events.ts'
import type { Instant, Who } from '../ids.ts'
import type { AgentPolicy } from '../policy.ts'
import type { Absence, Absences } from '../state.ts'

/** So long it is worth waiting for an agent while another one could go on. */
const shortWaitMs = 10 * 60_000
const firstBackOffMs = 5_000
const longestBackOffMs = 10 * 60_000

/** Why this agent takes no turn at this moment, or null. */
export function absenceOf(absences: Absences, who: Who, at: Instant): Absence | null {
  const now = entriesOf(absences, who).filter(({ until }) => until === null || until > at)
  return now.sort((a, b) => (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY))[0] ?? null
}

/** Deliveries that use an agent in the same way have its limits in common. */
export const accountOf = ({ driver, options }: AgentPolicy): string => hashOf([driver, options])

/** Only a human can bring it back. */
export const barOf = (absences: Absences, who: Who): Absence | null =>
  entriesOf(absences, who).find(({ until }) => until === null) ?? null

/** Why nobody asks it until a human has done something, in words. */
export const barText = ({ agent, kind, message }: Pick<Absence, 'agent' | 'kind' | 'message'>): string =>
  kind === 'auth' ? `${agent} is not signed in: ${message}` : `${agent} cannot be used (${kind}): ${message}`

/** Whether another agent is to go on meanwhile, if there is one. A short rest is waited for: the session is here. */
export function givesWay({ kind, refusals, since, until }: Absence, refusalsPerAgent: number): boolean {
  return !rests(kind) || refusals >= refusalsPerAgent || until === null || until - since > shortWaitMs
}

/** The agent's service said no: it is left alone for a while, or until a human has seen to it. */
export function refused(
  absences: Absences,
  { agent, model }: Who,
  { event, at }: { event: Extract<Stepping, { type: 'AgentRefused' }>; at: Instant },
): void {
  const { kind, message, remedy, step } = event
  const key = isOfModel(kind) ? keyOf({ agent, model }) : agent
  const before = absences[key]
  if (before !== undefined && before.until === null) return
  const refusals = (before?.refusals ?? 0) + 1
  const until = event.until ?? (rests(kind) ? at + backOffMs(step, refusals) : null)
  absences[key] = { agent, model, kind, since: at, until, refusals, message, remedy }
}

/** It took a turn: whatever it refuses next is its first refusal. */
export function answered(absences: Absences, who: Who): void {
  const key = keyOf(who)
  const before = absences[key]
  if (before !== undefined && before.until !== null) absences[key] = { ...before, refusals: 0 }
}

/** Whether the agent's other models may be there all the same. */
export const isOfModel = (kind: Refusal): boolean => rests(kind) || kind === 'model'

const rests = (kind: Refusal): boolean => kind === 'rate-limit' || kind === 'overloaded' || kind === 'network'

/** Doubled each time, and not the same for all, so that they do not come back at once. */
function backOffMs(step: string, refusals: number): number {
  const waitMs = Math.min(longestBackOffMs, firstBackOffMs * 2 ** (refusals - 1))
  const share = Number.parseInt(hashOf([step, refusals]).slice(0, 4), 16) / 0xffff
  return Math.round(waitMs * (0.75 + share / 4))
}

/** Under its own name stands the agent as a whole. */
const keyOf = ({ agent, model }: Who): string => `${agent}/${model ?? ''}`

const entriesOf = (absences: Absences, who: Who): Absence[] =>
  [who.agent, keyOf(who)].flatMap((key) => absences[key] ?? [])
