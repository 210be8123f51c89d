import type { Assumption, CheckedAssumption, TriedExample } from '../../delivery/intent/interpretation.ts'
import type { CheckAssumptions, ReadRequirement, TryExamples } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import { placeOfQuotation } from '../../proof/review/quotation.ts'
import {
  type CheckAnswer,
  checkContract,
  checkerPrompt,
  idsOf,
  trialContract,
  trialPrompt,
} from '../../roles/challenger/challenger.ts'
import { interpretationContract, interpretationFrom, readerPrompt } from '../../roles/interpreter.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askFor } from '../agent/ask.ts'
import { settingFor } from '../agent/setting.ts'
import { nonceOf } from '../agent/turn-record.ts'
import type { StepWork } from '../work.ts'

/** An agent reads a copy of the base and says what it takes the requirement to mean; no one's reading reaches another. */
export async function readRequirement(work: StepWork<ReadRequirement>): Promise<Ending> {
  const { id: step, seat } = work.step
  const question = { contract: interpretationContract(nonceOf(work)), prompt: await readingPrompt(work) }
  return await askFor(work, question, {
    told: (value, quality) => ({
      ...{ type: 'RequirementRead', step, seat, quality },
      interpretation: interpretationFrom(value),
    }),
    none: (problems) => ({ type: 'ReadingFaulted', step, seat, problems }),
  })
}

export async function readingPrompt(work: StepWork<ReadRequirement>): Promise<Prompt> {
  const role = work.step.seat.startsWith('challenger') ? 'challenger' : 'interpreter'
  return readerPrompt(role, work.step, await settingFor(work, role))
}

/** An agent that knows nothing but the claims looks for what refutes them. Only what is in the files counts as seen. */
export async function checkAssumptions(work: StepWork<CheckAssumptions>): Promise<Ending> {
  const { id: step, assumptions } = work.step
  const question = { contract: checkContract(nonceOf(work), assumptions), prompt: await claimsPrompt(work) }
  const checked = (words: CheckedAssumption[]): Ending => ({ type: 'AssumptionsChecked', step, checked: words })
  return await askFor(work, question, {
    told: async (value) => {
      const words = new Map(value.checked.map((word) => [word.id, word]))
      return checked(await Promise.all(assumptions.map((one) => weighed(work, one, words.get(one.id)))))
    },
    none: (_, why) => checked(assumptions.map((one) => unknown(one, why))),
  })
}

export const claimsPrompt = async (work: StepWork<CheckAssumptions>): Promise<Prompt> =>
  checkerPrompt(work.step.assumptions, await settingFor(work, 'challenger-assumptions'))

const unknown = ({ id, claim }: Assumption, why: string): CheckedAssumption => ({
  ...{ id, claim, verdict: 'unknown', evidence: why.slice(0, 1_000), file: null, line: null },
})

/** Refuted needs a quotation that is there; whoever quotes what is not there has not looked. */
async function weighed(
  { repository, step }: StepWork<CheckAssumptions>,
  one: Assumption,
  word: CheckAnswer['checked'][number] | undefined,
): Promise<CheckedAssumption> {
  if (word === undefined) return unknown(one, 'the checker said nothing about it')
  const { id, claim } = one
  const { verdict, quote, why } = word
  if (verdict === 'unknown') return unknown(one, why)
  const file = word.file?.replace(/^\.\//, '') ?? null
  const held = { id, claim, verdict: 'holds', evidence: why, file, line: null } as const
  if (file === null || quote === '')
    return verdict === 'holds' ? held : unknown(one, `it was said to be refuted, without a quotation: ${why}`)
  const after = await repository.readFile(step.base, file)
  const line = placeOfQuotation(quote, { before: null, after }, word.line)
  if (typeof line === 'number') return { id, claim, verdict, evidence: `${quote}\n${why}`.slice(0, 2_000), file, line }
  // Who confirms needs no quotation: a true one that would be too short to refute by is not worse than none.
  if (verdict === 'holds' && after?.includes(quote.trim())) return held
  const so = verdict === 'refuted' ? 'refuted' : 'so'
  return unknown(one, `it was said to be ${so} by a quotation that is not in ${file}: ${why}`)
}

/** A reader says whether its reading has the examples of others so. What it says nothing usable on is unknown. */
export async function tryExamples(work: StepWork<TryExamples>): Promise<Ending> {
  const { id: step, seat, examples } = work.step
  const question = { contract: trialContract(nonceOf(work), examples.length), prompt: await examplesPrompt(work) }
  const ids = idsOf(examples.length)
  type Trial = Pick<TriedExample, 'verdict' | 'why'>
  const tried = (wordOn: (id: string) => Trial | string): Ending => {
    const words = examples.map((example, index): TriedExample => {
      const word = wordOn(ids[index]!)
      if (typeof word === 'string') return { ...example, verdict: 'unknown', why: word.slice(0, 300) }
      return { ...example, verdict: word.verdict, why: word.why }
    })
    return { type: 'ExamplesTried', step, seat, tried: words }
  }
  return await askFor(work, question, {
    told: (value) => tried((id) => value.tried.find((word) => word.id === id) ?? 'nothing was said about it'),
    none: (_, why) => tried(() => why),
  })
}

export const examplesPrompt = async (work: StepWork<TryExamples>): Promise<Prompt> => {
  const { examples } = work.step
  return trialPrompt({ reading: work.input.reading, examples }, await settingFor(work, 'challenger-examples'))
}
