import type { Outcome } from '../delivery/events.ts'
import { planProblems } from '../delivery/plan/validate.ts'
import { policyOf } from '../delivery/state.ts'
import type { DraftPlan } from '../delivery/step.ts'
import type { AgentResult } from '../ports/agent-driver.ts'
import type { Ending, Performance } from '../ports/performer.ts'
import { planIn } from '../roles/planner/answer.ts'
import { plannerPrompt } from '../roles/planner/prompt.ts'
import type { Prompt } from '../roles/prompt/prompt.ts'
import { fateOf } from './agent/failure.ts'
import { askReader } from './agent/reader.ts'
import { resultFileOf } from './agent/turn.ts'
import { repositoryFor, requestOf } from './place/request.ts'
import { readText } from './place/text.ts'
import type { StepWorld } from './world.ts'

type Drafting = Performance<DraftPlan>

/** The planner reads a copy of the base, without our refs; whatever it changes there is dropped. */
export async function draftPlan(world: StepWorld, performance: Drafting): Promise<Ending> {
  const repository = await repositoryFor(world, performance.state)
  const prompt = promptFor(world, performance)
  const { base: commit, revision: round } = performance.step
  const turn = { role: 'planner', prompt, attempt: 1, round }
  const result = await askReader(world, performance, { repository, commit, ...turn })
  if (result.status === 'finished') return await draftedIn(world, performance, result)
  if (result.question !== null)
    return faulted(performance, [`the planner asked: ${world.redact(result.question.text)}`])
  const fate = fateOf(world, performance, { result, session: null })
  return fate.type !== 'failed' ? fate : faulted(performance, [`the planner gave no plan: ${fate.message}`])
}

function promptFor(world: StepWorld, performance: Drafting): Prompt {
  const { state, step } = performance
  const { checks, limits } = policyOf(state)
  return plannerPrompt({
    requirement: requestOf(state).requirement,
    feedback: step.feedback,
    repairs: state.plan.repairs,
    checks,
    storiesPerPlan: limits.storiesPerPlan,
    files: {
      requirement: world.places.result(state.id, `${step.id}-${performance.try}.requirement.md`),
      result: resultFileOf(world, performance),
    },
  })
}

async function draftedIn(world: StepWorld, performance: Drafting, result: AgentResult): Promise<Outcome> {
  const { state, step } = performance
  const file = await readText(resultFileOf(world, performance))
  const read = planIn(file === null ? null : world.redact(file), world.redact(result.text))
  if (!read.ok) return faulted(performance, read.problems)
  const problems = planProblems(read.plan, policyOf(state).limits.storiesPerPlan)
  if (problems.length > 0) return faulted(performance, problems)
  const cause = step.feedback.length === 0 ? 'the requirement' : `the previous draft: ${step.feedback.join('; ')}`
  return { type: 'PlanDrafted', step: step.id, plan: read.plan, revision: step.revision, cause: cause.slice(0, 1_000) }
}

const faulted = ({ step }: Drafting, problems: string[]): Outcome => ({
  type: 'PlanFaulted',
  step: step.id,
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
