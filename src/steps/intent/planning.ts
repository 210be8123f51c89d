import { draftProblems } from '../../delivery/plan/course/planning.ts'
import type { AuditPlan, DraftPlan, RespecifyStory } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Contract } from '../../roles/answer/contract.ts'
import { auditContract, auditPrompt } from '../../roles/challenger/challenger.ts'
import { planContract, planFromAnswer, plannedStory, plannerPrompt } from '../../roles/planner/prompt.ts'
import {
  type Amendment,
  amendmentContract,
  changesIn,
  departureContract,
  respecifyPrompt,
  splitContract,
} from '../../roles/planner/respecify.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askFor, bounded } from '../agent/ask.ts'
import { settingFor } from '../agent/setting.ts'
import { nonceOf } from '../agent/turn-record.ts'
import type { StepWork } from '../work.ts'

/** The planner reads a copy of the base, without our refs; whatever it changes there is dropped. */
export async function draftPlan(work: StepWork<DraftPlan>): Promise<Ending> {
  const { input, record } = work
  const { id: step, revision, feedback } = work.step
  const faulted = (problems: string[]): Ending => ({ type: 'PlanFaulted', step, problems: bounded(problems) })
  return await askFor(
    work,
    { contract: planContract, prompt: await planPrompt(work) },
    {
      told: async (value) => {
        for (const lack of planContract.lacks?.(value) ?? [])
          await record({ type: 'ConcernRaised', story: null, text: `the plan: ${lack}` })
        const plan = planFromAnswer(value, input.criteria)
        const problems = draftProblems(input, plan)
        if (problems.length > 0) return faulted(problems)
        const cause = feedback.length === 0 ? 'the requirement' : `the previous draft: ${feedback.join('; ')}`
        return { type: 'PlanDrafted', step, plan, revision, cause: cause.slice(0, 1_000) }
      },
      none: faulted,
    },
  )
}

export async function planPrompt(work: StepWork<DraftPlan>): Promise<Prompt> {
  const { repairs, policy } = work.input
  const brief = { feedback: work.step.feedback, repairs, checks: policy.checks }
  return plannerPrompt(brief, await settingFor(work, 'planner'))
}

/** Another than its author looks for what is wrong with a plan. Who gives no word has not found it sound. */
export async function auditPlan(work: StepWork<AuditPlan>): Promise<Ending> {
  const { id: step, revision } = work.step
  const audited = (problems: string[], concerns: string[]): Ending => ({
    ...{ type: 'PlanAudited', step, revision, problems },
    concerns: bounded(concerns),
  })
  return await askFor(
    work,
    { contract: auditContract(nonceOf(work)), prompt: await auditorPrompt(work) },
    {
      told: ({ problems, concerns }) =>
        audited(
          problems.map(({ story, problem }) => (story === null ? problem : `${story}: ${problem}`)),
          concerns,
        ),
      none: (_, why) => audited([], [`nobody audited the plan: ${why}`]),
    },
  )
}

export const auditorPrompt = async (work: StepWork<AuditPlan>): Promise<Prompt> =>
  auditPrompt(work.input.plan, await settingFor(work, 'challenger-plan'))

/** The planner gives a story that failed, or that others have overtaken, another specification, or several; what is allowed in it is for the law. */
export async function respecifyStory(work: StepWork<RespecifyStory>): Promise<Ending> {
  const { id: step, story, as, departed } = work.step
  const ask = async <Value>(contract: Contract<Value>, told: (value: Value) => Ending): Promise<Ending> =>
    await askFor(
      work,
      { contract, prompt: await specPrompt(work) },
      {
        told,
        none: (problems) => ({ type: 'RespecifyFaulted', step, story, problems }),
      },
    )
  const amended = (said: Amendment): Ending => ({
    ...{ type: 'StoryRespecified', step, story, cause: said.cause },
    changes: changesIn(said),
  })
  if (departed !== undefined)
    return await ask(departureContract, ({ holds, ...said }) =>
      holds ? { type: 'StoryUpheld', step, story, why: said.cause } : amended(said),
    )
  if (as === 'amended') return await ask(amendmentContract, amended)
  return await ask(splitContract, ({ cause, stories }) => ({
    ...{ type: 'StorySplit', step, story, cause },
    into: stories.map(plannedStory),
  }))
}

export const specPrompt = async (work: StepWork<RespecifyStory>): Promise<Prompt> =>
  respecifyPrompt(work, await settingFor(work, 'planner-story', work.input.spec.files))
