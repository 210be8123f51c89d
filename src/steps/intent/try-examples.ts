import type { Outcome } from '../../delivery/events.ts'
import type { TriedExample } from '../../delivery/intent/interpretation.ts'
import type { TryExamples } from '../../delivery/intent/steps.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { idsOf, trialContract, trialPrompt } from '../../roles/challenger/examples.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { invariant } from '../../std/never.ts'
import { ask, turnsIn } from '../agent/ask.ts'
import { nonceOf } from '../agent/nonce.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { repositoryFor, requestOf } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Trial = Performance<TryExamples>

/** A reader says whether its reading has the examples of others so. What it says nothing usable on is unknown. */
export async function tryExamples(world: StepWorld, performance: Trial): Promise<Ending> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const prompt = await examplesPrompt(world, performance, repository)
  const contract = trialContract(nonceOf(performance), step.examples.length)
  const question = { contract, role: 'challenger', prompt, attempt: 1, round: step.turn + 1 }
  const asked = await ask(world, performance, { repository, commit: step.base, ...question })
  if (asked.type === 'failed') return tried(step, () => unknown(`the turn failed: ${asked.message}`))
  if (asked.type !== 'answered') return asked
  const { answer } = asked
  if (answer.value === null) return tried(step, () => unknown(`no usable answer: ${answer.problems.join('; ')}`))
  const words = new Map(answer.value.tried.map((word) => [word.id, word]))
  return tried(step, (id) => words.get(id) ?? unknown('nothing was said about it'))
}

/** What the reader is told. */
export async function examplesPrompt(world: StepWorld, performance: Trial, repository: Repository): Promise<Prompt> {
  const { state, step } = performance
  const word = state.intent.words[step.seat]
  invariant(word?.status === 'read', 'only who has read it is asked')
  const brief = {
    requirement: requestOf(state).requirement,
    reading: word.interpretation.reading,
    examples: step.examples,
    nonce: nonceOf(performance),
    result: resultFileOf(world, performance),
  }
  return trialPrompt(
    brief,
    await settingFor({ world, state, repository }, 'challenger-examples', { words: turnsIn(state) }),
  )
}

type Word = Pick<TriedExample, 'verdict' | 'why'>

const unknown = (why: string): Word => ({ verdict: 'unknown', why: why.slice(0, 300) })

function tried({ id, seat, examples }: TryExamples, wordOn: (example: string) => Word): Outcome {
  const ids = idsOf(examples.length)
  const words = examples.map((example, index): TriedExample => {
    const { verdict, why } = wordOn(ids[index]!)
    return { ...example, verdict, why }
  })
  return { type: 'ExamplesTried', step: id, seat, tried: words }
}
