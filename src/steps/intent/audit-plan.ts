import type { Outcome } from '../../delivery/events.ts'
import type { AuditPlan } from '../../delivery/plan/steps.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { auditContract, auditPrompt } from '../../roles/challenger/audit.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { invariant } from '../../std/never.ts'
import { ask, turnsIn } from '../agent/ask.ts'
import { nonceOf } from '../agent/nonce.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { repositoryFor, requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Auditing = Performance<AuditPlan>

/** Another than its author looks for what is wrong with a plan. Who gives no word has not found it sound. */
export async function auditPlan(world: StepWorld, performance: Auditing): Promise<Ending> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const prompt = await auditorPrompt(world, performance, repository)
  const contract = auditContract(nonceOf(performance))
  const question = { contract, role: 'challenger', prompt, attempt: 1, round: step.turn + 1 }
  const asked = await ask(world, performance, { repository, commit: step.base, ...question })
  if (asked.type === 'failed') return audited(step, [], [`nobody audited the plan: the turn failed: ${asked.message}`])
  if (asked.type !== 'answered') return asked
  const { value, problems } = asked.answer
  if (value === null) return audited(step, [], [`nobody audited the plan: ${problems.join('; ')}`])
  const told = value.problems.map(({ story, problem }) => (story === null ? problem : `${story}: ${problem}`))
  return audited(step, told, value.concerns)
}

/** What the auditor is told. */
export async function auditorPrompt(world: StepWorld, performance: Auditing, repository: Repository): Promise<Prompt> {
  const { state } = performance
  const { plan } = state.plan
  invariant(plan !== null, 'there is no plan to audit')
  const [nonce, result] = [nonceOf(performance), resultFileOf(world, performance)]
  const brief = { requirement: requestOf(state).requirement, plan, nonce, result }
  return auditPrompt(
    brief,
    await settingFor({ world, state, repository }, 'challenger-plan', { words: turnsIn(state) }),
  )
}

const audited = ({ id, revision }: AuditPlan, problems: string[], concerns: string[]): Outcome => ({
  type: 'PlanAudited',
  step: id,
  revision,
  problems,
  concerns: concerns.map((concern) => concern.slice(0, 1_000)),
})
