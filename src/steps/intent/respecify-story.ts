import type { Outcome } from '../../delivery/events.ts'
import type { Plan } from '../../delivery/plan/plan.ts'
import type { RespecifyStory } from '../../delivery/plan/steps.ts'
import { type DeliveryState, policyOf, storiesOf, storyOf } from '../../delivery/state.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
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
import { ask } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { repositoryFor, requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Respecifying = Performance<RespecifyStory>

/** The planner gives a story that failed, or that others have overtaken, another specification, or several; what is allowed in it is for the law. */
export async function respecifyStory(world: StepWorld, performance: Respecifying): Promise<Ending> {
  const repository = await repositoryFor(world, performance.state)
  const prompt = await specPrompt(world, performance, repository)
  const about = { repository, prompt }
  const { as, departed } = performance.step
  if (departed !== undefined)
    return await told(world, performance, { ...about, contract: departureContract, outcome: reconsidered })
  return as === 'amended'
    ? await told(world, performance, { ...about, contract: amendmentContract, outcome: amended })
    : await told(world, performance, { ...about, contract: splitContract, outcome: split })
}

/** What the planner is told about the story. */
export async function specPrompt(world: StepWorld, performance: Respecifying, repository: Repository): Promise<Prompt> {
  const { state, step } = performance
  const { spec, past } = storyOf(state, step.story)
  const { as, reason, departed, findings, problems } = step
  const brief = {
    isReplanned: departed !== undefined,
    ...{ as, reason, findings, problems, past, story: spec, plan: planNow(state) },
    requirement: requestOf(state).requirement,
    checks: policyOf(state).checks,
    result: resultFileOf(world, performance),
  }
  const about = { story: step.story, paths: spec.files }
  return respecifyPrompt(brief, await settingFor({ world, state, repository }, 'planner-story', about))
}

/** With what has become of its stories since it was drafted. */
const planNow = (state: DeliveryState): Plan => ({
  outline: state.plan.plan?.outline ?? null,
  stories: storiesOf(state)
    .filter(({ kind, control }) => kind === 'story' && control.status !== 'split')
    .map(({ spec }) => spec),
})

async function told<Value>(
  world: StepWorld,
  performance: Respecifying,
  {
    repository,
    prompt,
    contract,
    outcome,
  }: {
    repository: Repository
    prompt: Prompt
    contract: Contract<Value>
    outcome: (step: RespecifyStory, value: Value) => Outcome
  },
): Promise<Ending> {
  const { step } = performance
  const question = { contract, role: 'planner', prompt, attempt: 1, round: step.turn + 1 }
  const asked = await ask(world, performance, { repository, commit: step.base, ...question })
  if (asked.type === 'failed') return faulted(step, [`the planner's turn failed: ${asked.message}`])
  if (asked.type !== 'answered') return asked
  const { value, problems } = asked.answer
  return value === null ? faulted(step, problems) : outcome(step, value)
}

const reconsidered = (step: RespecifyStory, { holds, ...said }: Reconsidered): Outcome =>
  holds ? { type: 'StoryUpheld', step: step.id, story: step.story, why: said.cause } : amended(step, said)

const amended = ({ id, story }: RespecifyStory, said: Amendment): Outcome => ({
  type: 'StoryRespecified',
  step: id,
  story,
  changes: changesIn(said),
  cause: said.cause,
})

const split = ({ id, story }: RespecifyStory, { cause, stories }: Split): Outcome => ({
  type: 'StorySplit',
  step: id,
  story,
  into: stories.map(plannedStory),
  cause,
})

const faulted = ({ id, story }: RespecifyStory, problems: string[]): Outcome => ({
  type: 'RespecifyFaulted',
  step: id,
  story,
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
