import { isIntentSettled } from '../../intent/state.ts'
import type { Policy } from '../../policy.ts'
import { auditorsOf, choose, plannersOf } from '../../shared/choosing.ts'
import { admit, isRefused, type Room } from '../../shared/room.ts'
import { type DeliveryState, policyOf, raiseConcern, storiesOf } from '../../state.ts'
import { type AuditPlan, type DraftPlan, identified, type Step } from '../../step.ts'
import { acceptanceFor } from '../../story/course/acceptance.ts'
import { beginPhase } from '../../story/course/ladder.ts'
import { freshStory } from '../../story/story.ts'
import type { Plan, Story } from '../plan.ts'
import {
  claimOf,
  coverProblems,
  doubtsOf,
  foldersAround,
  patternProblems,
  planProblems,
  settingsProblems,
} from '../validate.ts'
import { sizeProblems } from './proposal.ts'

/** A human brought it: whatever they want of it is in it. */
export function planGiven(state: DeliveryState, plan: Plan, revision: number): void {
  const problems = planProblems(plan, policyOf(state).limits.storiesPerPlan)
  if (problems.length > 0) return planFaulted(state, problems)
  state.plan.audit = null
  adopt(state, plan, revision)
  state.plan.given = true
  enterGate(state)
}

/** The planner has drafted it: it is looked at by plain code, then by another than its author, then by a human. */
export function planDrafted(state: DeliveryState, plan: Plan, revision: number): void {
  const { limits, unattended } = policyOf(state)
  const oversize = sizeProblems(plan, limits)
  const problems = draftProblems(draftedFor(state), plan)
  const isAsked = !unattended && problems.length === 0 && state.plan.repairs >= limits.planRepairs
  if (problems.length > 0 || (oversize.length > 0 && !isAsked)) return planFaulted(state, [...problems, ...oversize])
  adopt(state, plan, revision)
  state.plan.oversize = oversize
  for (const doubt of doubtsOf(plan)) raiseConcern(state, doubt)
  if (isAudited(state)) state.plan.control = { status: 'auditing' }
  else enterGate(state)
}

/** What is wrong with a draft, besides the size of its stories. */
export const draftProblems = ({ policy, criteria }: DraftedFor, plan: Plan): string[] => [
  ...planProblems(plan, policy.limits.storiesPerPlan),
  ...settingsProblems(plan),
  ...patternProblems(plan),
  ...coverProblems(plan, criteria),
]

interface DraftedFor {
  policy: Policy
  /** What the whole must fulfil. */
  criteria: string[]
}

const draftedFor = (state: DeliveryState): DraftedFor => ({
  policy: policyOf(state),
  criteria: state.intent.contract?.criteria ?? [],
})

function adopt(state: DeliveryState, plan: Plan, revision: number): void {
  if (!isIntentSettled(state.intent)) state.intent.control = { status: 'given' }
  state.plan = { ...state.plan, plan, revision, given: false, repairs: 0, oversize: [] }
  const stories = [...acceptanceFor(state, plan), ...plan.stories.map((spec) => freshStory(spec, 'story'))]
  state.order = stories.map(({ spec }) => spec.id)
  state.stories = Object.fromEntries(stories.map((story) => [story.spec.id, story]))
  for (const story of stories) beginPhase(state, story)
  serialise(state)
}

/** Where nobody can, it is said once. */
function isAudited(state: DeliveryState): boolean {
  const { limits, roles } = policyOf(state)
  if (state.plan.audits >= limits.planAudits) return false
  if (roles.challenger.length === 0) raiseConcern(state, 'nobody audited the plan (roles.challenger is empty)')
  return roles.challenger.length > 0
}

/** What the audit found goes to the planner, as long as the next draft can be audited as well; else it is told. */
export function planAudited(
  state: DeliveryState,
  { problems, concerns }: { problems: string[]; concerns: string[] },
): void {
  if (state.plan.control.status !== 'auditing') return
  const { limits } = policyOf(state)
  state.plan.audits += 1
  state.plan.audit = { problems, concerns }
  for (const concern of concerns) raiseConcern(state, `the audit of the plan: ${concern}`)
  if (problems.length === 0 || state.plan.audits >= limits.planAudits) return enterAudited(state)
  state.plan.redrafts += 1
  state.plan.control = { status: 'drafting', feedback: problems }
}

function enterAudited(state: DeliveryState): void {
  for (const problem of state.plan.audit?.problems ?? []) raiseConcern(state, `the audit of the plan: ${problem}`)
  enterGate(state)
}

/** Stories that are too large are asked about, whatever the gates are. */
function enterGate(state: DeliveryState): void {
  const isOpen = policyOf(state).gates === 'auto' && state.plan.oversize.length === 0
  state.plan.control = isOpen ? { status: 'approved' } : { status: 'proposed' }
}

/** Under other settings there may be no gate any more, or nobody to audit. */
export function rethinkPlan(state: DeliveryState): void {
  const { control } = state.plan
  if (control.status === 'auditing' && policyOf(state).roles.challenger.length === 0) enterGate(state)
  else if (control.status === 'proposed') enterGate(state)
}

/** Stories that declare the same files are worked one after the other. */
export function serialise(state: DeliveryState): void {
  // Acceptance tests are on the line when all others are settled: nobody can wait for that.
  const stories = storiesOf(state).filter(({ kind, control }) => kind === 'story' && control.status !== 'split')
  const after = sharingFiles({ stories: stories.map((story) => story.spec), outline: null })
  for (const story of stories) story.after = after.get(story.spec.id) ?? []
}

/** One repair by the planner, then a clear stop; but where only an audit was not content, what it looked at stands. */
export function planFaulted(state: DeliveryState, problems: string[]): void {
  state.plan.repairs += 1
  const givenUp = state.plan.repairs > policyOf(state).limits.planRepairs
  if (!givenUp) state.plan.control = { status: 'drafting', feedback: problems }
  else if (state.plan.audit !== null && state.plan.plan !== null) enterAudited(state)
  else state.plan.control = { status: 'faulted', problems }
}

/** A human said no: the planner drafts again with their words, if there is one and it may. */
export function planRejected(state: DeliveryState, feedback: string): void {
  const { roles, limits } = policyOf(state)
  const { revision, redrafts } = state.plan
  const again = roles.planner.length > 0 && revision - redrafts < limits.planRevisions
  state.plan = { ...state.plan, repairs: 0, audits: 0, audit: null, oversize: [] }
  state.plan.control = again ? { status: 'drafting', feedback: [feedback] } : { status: 'rejected', feedback }
}

/** For each story the earlier ones that declare one of its files, or a folder of it: they are done one after the other. */
export function sharingFiles(plan: Plan): Map<string, string[]> {
  const holders = new Map<string, Set<string>>()
  const inside = new Map<string, Set<string>>()
  const after = new Map<string, string[]>()
  const hold = (map: Map<string, Set<string>>, place: string, id: string) =>
    map.set(place, (map.get(place) ?? new Set()).add(id))
  for (const { id, files } of dependenciesFirst(plan)) {
    const claims = [...new Set(files.map(claimOf))]
    const near = claims.flatMap((claim) => [
      ...(inside.get(claim) ?? []),
      ...[claim, ...foldersAround(claim)].flatMap((place) => [...(holders.get(place) ?? [])]),
    ])
    after.set(id, [...new Set(near)])
    for (const claim of claims) hold(holders, claim, id)
    for (const folder of claims.flatMap(foldersAround)) hold(inside, folder, id)
  }
  return after
}

/** Plan order, but never before what a story depends on: so waiting for files cannot close a circle. */
function dependenciesFirst(plan: Plan): Story[] {
  const stories = new Map(plan.stories.map((story) => [story.id, story]))
  const placed = new Set<Story>()
  for (const story of plan.stories) {
    const stack = [story]
    while (stack.length > 0) {
      const top = stack.at(-1)!
      const missing = top.dependsOn.map((id) => stories.get(id)!).find((dependency) => !placed.has(dependency))
      if (missing !== undefined) stack.push(missing)
      else placed.add(stack.pop()!)
    }
  }
  return [...placed]
}

/** The planner's turn, while there is no valid plan, and the turn of who looks for what is wrong with it. */
export function dueForPlan(state: DeliveryState, room: Room): Step[] {
  if (isRefused(state) || !isIntentSettled(state.intent)) return []
  const isOfPlan = (step: Step): step is DraftPlan | AuditPlan => step.verb === 'DraftPlan' || step.verb === 'AuditPlan'
  const running = Object.values(state.running).find(({ step }) => isOfPlan(step) && isDraftWanted(state, step))
  if (running !== undefined) return [running.step]
  const step = nextTurn(state, room)
  return step !== null && admit(room, step) ? [step] : []
}

export const isDraftWanted = ({ plan }: DeliveryState, { verb, turn }: DraftPlan | AuditPlan): boolean =>
  plan.control.status === (verb === 'DraftPlan' ? 'drafting' : 'auditing') && plan.turns === turn

function nextTurn(state: DeliveryState, { moment }: Room): Step | null {
  const { control, revision, turns: turn } = state.plan
  const about = { story: null, base: state.line.tip, turn }
  if (control.status === 'drafting') {
    const planner = choose(state, plannersOf(state), moment.at)
    const { feedback } = control
    return planner && identified({ verb: 'DraftPlan', ...planner, ...about, revision: revision + 1, feedback })
  }
  if (control.status !== 'auditing') return null
  const auditor = choose(state, auditorsOf(state), moment.at)
  return auditor && identified({ verb: 'AuditPlan', ...auditor, ...about, revision })
}
