import type { Outcome } from '../../delivery/events.ts'
import type { ReadRequirement } from '../../delivery/intent/steps.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { interpretationContract, interpretationFrom } from '../../roles/interpreter/contract.ts'
import { readerPrompt } from '../../roles/interpreter/prompt.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { ask, turnsIn } from '../agent/ask.ts'
import { nonceOf } from '../agent/nonce.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { repositoryFor, requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Reading = Performance<ReadRequirement>

/** An agent reads a copy of the base and says what it takes the requirement to mean; no one's reading reaches another. */
export async function readRequirement(world: StepWorld, performance: Reading): Promise<Ending> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const role = roleOf(step)
  const prompt = await readingPrompt(world, performance, repository)
  const contract = interpretationContract(nonceOf(performance))
  const question = { contract, role, prompt, attempt: 1, round: step.turn + 1 }
  const asked = await ask(world, performance, { repository, commit: step.base, ...question })
  if (asked.type === 'failed') return faulted(step, [`the turn failed: ${asked.message}`])
  if (asked.type !== 'answered') return asked
  const { answer } = asked
  if (answer.quality === 'fallback') return faulted(step, answer.problems)
  const interpretation = interpretationFrom(answer.value)
  return { type: 'RequirementRead', step: step.id, seat: step.seat, interpretation, quality: answer.quality }
}

/** What a reader is told. */
export async function readingPrompt(world: StepWorld, performance: Reading, repository: Repository): Promise<Prompt> {
  const { state, step } = performance
  const role = roleOf(step)
  const brief = {
    requirement: requestOf(state).requirement,
    refuted: step.refuted,
    problems: step.problems,
    nonce: nonceOf(performance),
    result: resultFileOf(world, performance),
  }
  return readerPrompt(role, brief, await settingFor({ world, state, repository }, role, { words: turnsIn(state) }))
}

const roleOf = ({ seat }: ReadRequirement): 'challenger' | 'interpreter' =>
  seat === 'challenger-1' || seat === 'challenger-2' ? 'challenger' : 'interpreter'

const faulted = ({ id, seat }: ReadRequirement, problems: string[]): Outcome => ({
  type: 'ReadingFaulted',
  step: id,
  seat,
  problems: problems.slice(0, 20).map((problem) => problem.slice(0, 1_000)),
})
