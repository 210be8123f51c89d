import type { Outcome } from '../../delivery/events.ts'
import type { TriedExample } from '../../delivery/intent/interpretation.ts'
import type { TryExamples } from '../../delivery/intent/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import { idsOf, trialContract, trialPrompt } from '../../roles/challenger/examples.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, outcomeOf, turnsIn } from '../agent/ask.ts'
import { nonceOf, resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import type { StepWork } from '../work.ts'

/** A reader says whether its reading has the examples of others so. What it says nothing usable on is unknown. */
export async function tryExamples(work: StepWork<TryExamples>): Promise<Ending> {
  const { step } = work
  const question = { contract: trialContract(nonceOf(work), step.examples.length), role: 'challenger' }
  const about = { commit: step.base, prompt: await examplesPrompt(work), attempt: 1, round: step.turn + 1 }
  return await outcomeOf(
    await askAgent(work, { ...question, ...about }),
    (value) => {
      const words = new Map(value.tried.map((word) => [word.id, word]))
      return tried(step, (id) => words.get(id) ?? unknown('nothing was said about it'))
    },
    (problems, failed) => {
      const why = failed === null ? `no usable answer: ${problems.join('; ')}` : `the turn failed: ${failed}`
      return tried(step, () => unknown(why))
    },
  )
}

/** What the reader is told. */
export async function examplesPrompt(work: StepWork<TryExamples>): Promise<Prompt> {
  const { input, step } = work
  const told = { requirement: input.request.requirement, reading: input.reading, examples: step.examples }
  const setting = await settingFor(work, 'challenger-examples', { words: turnsIn(input.policy) })
  return trialPrompt({ ...told, nonce: nonceOf(work), result: resultFileOf(work) }, setting)
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
