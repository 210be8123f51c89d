import type { Outcome } from '../../delivery/events.ts'
import { draftProblems } from '../../delivery/plan/course/planning.ts'
import { complexities } from '../../delivery/plan/plan.ts'
import type { AuditPlan, DraftPlan, RespecifyStory } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import { auditContract, auditPrompt } from '../../roles/challenger/challenger.ts'
import {
  type PlanAnswer,
  planContract,
  planFromAnswer,
  plannedStory,
  plannerPrompt,
} from '../../roles/planner/prompt.ts'
import {
  type Amendment,
  amendmentContract,
  changesIn,
  departureContract,
  type Reconsidered,
  respecifyPrompt,
  type Split,
  splitContract,
} from '../../roles/planner/respecify.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, outcomeOf, turnsIn } from '../agent/ask.ts'
import { settingFor } from '../agent/setting.ts'
import { nonceOf, resultFileOf } from '../agent/turn-record.ts'
import type { StepWork } from '../work.ts'

type Drafting = StepWork<DraftPlan>

/** The planner reads a copy of the base, without our refs; whatever it changes there is dropped. */
export async function draftPlan(work: Drafting): Promise<Ending> {
  const { step } = work
  const question = { contract: planContract, role: 'planner', prompt: await planPrompt(work) }
  return await outcomeOf(
    await askAgent(work, { commit: step.base, ...question, attempt: 1, round: step.revision }),
    async (value) => {
      for (const lack of planContract.lacks?.(value) ?? [])
        await work.record({ type: 'ConcernRaised', story: null, text: `the plan: ${lack}` })
      return draftedIn(work, value)
    },
    (problems, failed) => draftFaulted(step, failed === null ? problems : [`the planner gave no plan: ${failed}`]),
  )
}

/** What the planner is told. */
export async function planPrompt(work: Drafting): Promise<Prompt> {
  const { input, step } = work
  const { checks, limits } = input.policy
  const words = { complexities: complexities.join(', '), storiesPerPlan: String(limits.storiesPerPlan) }
  const brief = {
    ...{ requirement: input.request.requirement, feedback: step.feedback, repairs: input.repairs, checks },
    result: resultFileOf(work),
  }
  return plannerPrompt(brief, await settingFor(work, 'planner', { words }))
}

function draftedIn({ input, step }: Drafting, answer: PlanAnswer): Outcome {
  const plan = planFromAnswer(answer, input.criteria)
  const problems = draftProblems(input, plan)
  if (problems.length > 0) return draftFaulted(step, problems)
  const cause = step.feedback.length === 0 ? 'the requirement' : `the previous draft: ${step.feedback.join('; ')}`
  return { type: 'PlanDrafted', step: step.id, plan, revision: step.revision, cause: cause.slice(0, 1_000) }
}

const draftFaulted = ({ id }: DraftPlan, problems: string[]): Outcome => ({
  ...{ type: 'PlanFaulted', step: id },
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})

/** Another than its author looks for what is wrong with a plan. Who gives no word has not found it sound. */
export async function auditPlan(work: StepWork<AuditPlan>): Promise<Ending> {
  const { step } = work
  const question = { contract: auditContract(nonceOf(work)), role: 'challenger', prompt: await auditorPrompt(work) }
  const asked = await askAgent(work, { commit: step.base, ...question, attempt: 1, round: step.turn + 1 })
  return await outcomeOf(
    asked,
    ({ problems, concerns }) => {
      const told = problems.map(({ story, problem }) => (story === null ? problem : `${story}: ${problem}`))
      return audited(step, told, concerns)
    },
    (problems, failed) => {
      const why = failed === null ? problems.join('; ') : `the turn failed: ${failed}`
      return audited(step, [], [`nobody audited the plan: ${why}`])
    },
  )
}

/** What the auditor is told. */
export async function auditorPrompt(work: StepWork<AuditPlan>): Promise<Prompt> {
  const { plan, request, policy } = work.input
  const brief = { requirement: request.requirement, plan, nonce: nonceOf(work), result: resultFileOf(work) }
  return auditPrompt(brief, await settingFor(work, 'challenger-plan', { words: turnsIn(policy) }))
}

const audited = ({ id, revision }: AuditPlan, problems: string[], concerns: string[]): Outcome => ({
  ...{ type: 'PlanAudited', step: id, revision, problems },
  concerns: concerns.map((concern) => concern.slice(0, 1_000)),
})

type Respecifying = StepWork<RespecifyStory>

/** The planner gives a story that failed, or that others have overtaken, another specification, or several; what is allowed in it is for the law. */
export async function respecifyStory(work: Respecifying): Promise<Ending> {
  const { as, departed } = work.step
  if (departed !== undefined) return await told(work, departureContract, reconsidered)
  return as === 'amended' ? await told(work, amendmentContract, amended) : await told(work, splitContract, split)
}

/** What the planner is told about the story. */
export async function specPrompt(work: Respecifying): Promise<Prompt> {
  const { input, step } = work
  const { spec, past, plan, request, policy } = input
  const { as, reason, departed, findings, problems } = step
  const brief = {
    isReplanned: departed !== undefined,
    ...{ as, reason, findings, problems, past, story: spec, plan },
    ...{ requirement: request.requirement, checks: policy.checks, result: resultFileOf(work) },
  }
  return respecifyPrompt(brief, await settingFor(work, 'planner-story', { paths: spec.files }))
}

async function told<Value>(
  work: Respecifying,
  contract: Contract<Value>,
  outcome: (step: RespecifyStory, value: Value) => Outcome,
): Promise<Ending> {
  const { step } = work
  const question = { contract, role: 'planner', prompt: await specPrompt(work), attempt: 1, round: step.turn + 1 }
  return await outcomeOf(
    await askAgent(work, { commit: step.base, ...question }),
    (value) => outcome(step, value),
    (problems, failed) => specFaulted(step, failed === null ? problems : [`the planner's turn failed: ${failed}`]),
  )
}

const reconsidered = (step: RespecifyStory, { holds, ...said }: Reconsidered): Outcome =>
  holds ? { type: 'StoryUpheld', step: step.id, story: step.story, why: said.cause } : amended(step, said)

const amended = ({ id, story }: RespecifyStory, said: Amendment): Outcome => ({
  ...{ type: 'StoryRespecified', step: id, story },
  changes: changesIn(said),
  cause: said.cause,
})

const split = ({ id, story }: RespecifyStory, { cause, stories }: Split): Outcome => ({
  ...{ type: 'StorySplit', step: id, story, into: stories.map(plannedStory), cause },
})

const specFaulted = ({ id, story }: RespecifyStory, problems: string[]): Outcome => ({
  ...{ type: 'RespecifyFaulted', step: id, story },
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
