import type { Outcome } from '../../delivery/events.ts'
import type { ReadRequirement } from '../../delivery/intent/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import { interpretationContract, interpretationFrom, readerPrompt } from '../../roles/interpreter.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, turnsIn } from '../agent/ask.ts'
import { nonceOf, resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import type { StepWork } from '../work.ts'

/** An agent reads a copy of the base and says what it takes the requirement to mean; no one's reading reaches another. */
export async function readRequirement(work: StepWork<ReadRequirement>): Promise<Ending> {
  const { step } = work
  const question = { contract: interpretationContract(nonceOf(work)), role: roleOf(step) }
  const about = { commit: step.base, prompt: await readingPrompt(work), attempt: 1, round: step.turn + 1 }
  const asked = await askAgent(work, { ...question, ...about })
  if (asked.type === 'failed') return faulted(step, [`the turn failed: ${asked.message}`])
  if (asked.type !== 'answered') return asked
  const { answer } = asked
  if (answer.quality === 'fallback') return faulted(step, answer.problems)
  const interpretation = interpretationFrom(answer.value)
  return { type: 'RequirementRead', step: step.id, seat: step.seat, interpretation, quality: answer.quality }
}

/** What a reader is told. */
export async function readingPrompt(work: StepWork<ReadRequirement>): Promise<Prompt> {
  const { input, step } = work
  const { refuted, problems } = step
  const told = { requirement: input.request.requirement, refuted, problems }
  const role = roleOf(step)
  const setting = await settingFor(work, role, { words: turnsIn(input.policy) })
  return readerPrompt(role, { ...told, nonce: nonceOf(work), result: resultFileOf(work) }, setting)
}

const roleOf = ({ seat }: ReadRequirement): 'challenger' | 'interpreter' =>
  seat === 'challenger-1' || seat === 'challenger-2' ? 'challenger' : 'interpreter'

const faulted = ({ id, seat }: ReadRequirement, problems: string[]): Outcome => ({
  ...{ type: 'ReadingFaulted', step: id, seat },
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
