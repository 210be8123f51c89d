import type { Outcome } from '../../delivery/events.ts'
import type { AuditPlan } from '../../delivery/plan/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import { auditContract, auditPrompt } from '../../roles/challenger/audit.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, outcomeOf, turnsIn } from '../agent/ask.ts'
import { nonceOf, resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import type { StepWork } from '../work.ts'

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
