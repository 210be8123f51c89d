import type { Outcome } from '../delivery/events.ts'
import { draftProblems } from '../delivery/plan/course/planning.ts'
import { complexities } from '../delivery/plan/plan.ts'
import { policyOf } from '../delivery/state.ts'
import type { DraftPlan } from '../delivery/step.ts'
import type { Ending, Performance } from '../ports/performer.ts'
import type { Repository } from '../ports/repository.ts'
import type { RoleAnswer } from '../roles/answer/contract.ts'
import { type PlanAnswer, planContract, planOf } from '../roles/planner/contract.ts'
import { plannerPrompt } from '../roles/planner/prompt.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { ask } from './agent/ask.ts'
import { resultFileOf } from './agent/transcript.ts'
import { settingFor } from './brief/setting.ts'
import { repositoryFor, requestOf } from './place/request.ts'
import type { StepWorld } from './world.ts'

type Drafting = Performance<DraftPlan>

/** The planner reads a copy of the base, without our refs; whatever it changes there is dropped. */
export async function draftPlan(world: StepWorld, performance: Drafting): Promise<Ending> {
  const repository = await repositoryFor(world, performance.state)
  const prompt = await planPrompt(world, performance, repository)
  const { base: commit, revision: round } = performance.step
  const question = { contract: planContract, role: 'planner', prompt, attempt: 1, round }
  const asked = await ask(world, performance, { repository, commit, ...question })
  if (asked.type === 'answered') {
    for (const lack of asked.answer.value === null ? [] : (planContract.lacks?.(asked.answer.value) ?? []))
      await performance.record({ type: 'ConcernRaised', story: null, text: `the plan: ${lack}` })
    return draftedIn(performance, asked.answer)
  }
  return asked.type !== 'failed' ? asked : faulted(performance, [`the planner gave no plan: ${asked.message}`])
}

/** What the planner is told. */
export async function planPrompt(world: StepWorld, performance: Drafting, repository: Repository): Promise<Prompt> {
  const { state, step } = performance
  const { checks, limits } = policyOf(state)
  const words = { complexities: complexities.join(', '), storiesPerPlan: String(limits.storiesPerPlan) }
  const brief = {
    requirement: requestOf(state).requirement,
    feedback: step.feedback,
    repairs: state.plan.repairs,
    checks,
    result: resultFileOf(world, performance),
  }
  return plannerPrompt(brief, await settingFor({ world, state, repository }, 'planner', { words }))
}

function draftedIn(performance: Drafting, answer: RoleAnswer<PlanAnswer>): Outcome {
  const { state, step } = performance
  if (answer.value === null) return faulted(performance, answer.problems)
  const plan = planOf(answer.value, state.intent.contract?.criteria ?? [])
  const problems = draftProblems(state, plan)
  if (problems.length > 0) return faulted(performance, problems)
  const cause = step.feedback.length === 0 ? 'the requirement' : `the previous draft: ${step.feedback.join('; ')}`
  return { type: 'PlanDrafted', step: step.id, plan, revision: step.revision, cause: cause.slice(0, 1_000) }
}

const faulted = ({ step }: Drafting, problems: string[]): Outcome => ({
  type: 'PlanFaulted',
  step: step.id,
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
