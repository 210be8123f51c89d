import type { Outcome } from '../../delivery/events.ts'
import type { RespecifyStory } from '../../delivery/plan/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import {
  type Amendment,
  amendmentContract,
  changesIn,
  departureContract,
  type Reconsidered,
} from '../../roles/planner/amendment.ts'
import { plannedStory } from '../../roles/planner/contract.ts'
import { respecifyPrompt, type Split, splitContract } from '../../roles/planner/respecify.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, outcomeOf } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import type { StepWork } from '../work.ts'

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
    (problems, failed) => faulted(step, failed === null ? problems : [`the planner's turn failed: ${failed}`]),
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

const faulted = ({ id, story }: RespecifyStory, problems: string[]): Outcome => ({
  ...{ type: 'RespecifyFaulted', step: id, story },
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
