import type { Outcome } from '../delivery/events.ts'
import { draftProblems } from '../delivery/plan/course/planning.ts'
import { complexities } from '../delivery/plan/plan.ts'
import type { DraftPlan } from '../delivery/step.ts'
import type { Ending } from '../ports/performer.ts'
import { type PlanAnswer, planContract, planFromAnswer } from '../roles/planner/contract.ts'
import { plannerPrompt } from '../roles/planner/prompt.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { askAgent, outcomeOf } from './agent/ask.ts'
import { resultFileOf } from './agent/transcript.ts'
import { settingFor } from './brief/setting.ts'
import type { StepWork } from './work.ts'

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
    (problems, failed) => faulted(step, failed === null ? problems : [`the planner gave no plan: ${failed}`]),
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
  if (problems.length > 0) return faulted(step, problems)
  const cause = step.feedback.length === 0 ? 'the requirement' : `the previous draft: ${step.feedback.join('; ')}`
  return { type: 'PlanDrafted', step: step.id, plan, revision: step.revision, cause: cause.slice(0, 1_000) }
}

const faulted = ({ id }: DraftPlan, problems: string[]): Outcome => ({
  ...{ type: 'PlanFaulted', step: id },
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
