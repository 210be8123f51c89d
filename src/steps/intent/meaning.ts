import type { Outcome } from '../../delivery/events.ts'
import type { Assumption, CheckedAssumption, TriedExample } from '../../delivery/intent/interpretation.ts'
import type { CheckAssumptions, ReadRequirement, TryExamples } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Commits } from '../../ports/repository/commits.ts'
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
import { askAgent, outcomeOf, turnsIn } from '../agent/ask.ts'
import { settingFor } from '../agent/setting.ts'
import { nonceOf, resultFileOf } from '../agent/turn-record.ts'
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

type Checking = StepWork<CheckAssumptions>
type Word = CheckAnswer['checked'][number]

/** An agent that knows nothing but the claims looks for what refutes them. Only what is in the files counts as seen. */
export async function checkAssumptions(work: Checking): Promise<Ending> {
  const { step, repository } = work
  const question = { contract: checkContract(nonceOf(work), step.assumptions), role: 'challenger' }
  const about = { commit: step.base, prompt: await claimsPrompt(work), attempt: 1, round: step.turn + 1 }
  return await outcomeOf(
    await askAgent(work, { ...question, ...about }),
    async (value) => {
      const words = new Map(value.checked.map((word) => [word.id, word]))
      const weigh = (one: Assumption) => weighed(repository, { one, word: words.get(one.id), step })
      return checked(step, await Promise.all(step.assumptions.map(weigh)))
    },
    (problems, failed) => {
      const said = failed === null ? `gave no usable answer: ${problems.join('; ')}` : null
      const why = said === null ? `the checker's turn failed: ${failed}` : `the checker ${said}`
      return checked(
        step,
        step.assumptions.map((one) => unknown(one, why)),
      )
    },
  )
}

/** What the checker is told. */
export async function claimsPrompt(work: Checking): Promise<Prompt> {
  const { input, step } = work
  const setting = await settingFor(work, 'challenger-assumptions', { words: turnsIn(input.policy) })
  const brief = { assumptions: step.assumptions, nonce: nonceOf(work), result: resultFileOf(work) }
  return checkerPrompt(brief, setting)
}

const checked = (step: CheckAssumptions, words: CheckedAssumption[]): Outcome => ({
  type: 'AssumptionsChecked',
  step: step.id,
  checked: words,
})

const unknown = ({ id, claim }: Assumption, why: string): CheckedAssumption => ({
  ...{ id, claim, verdict: 'unknown', evidence: why.slice(0, 1_000), file: null, line: null },
})

/** Refuted needs a quotation that is there; whoever quotes what is not there has not looked. */
async function weighed(
  repository: Commits,
  { one, word, step }: { one: Assumption; word: Word | undefined; step: CheckAssumptions },
): Promise<CheckedAssumption> {
  if (word === undefined) return unknown(one, 'the checker said nothing about it')
  const { id, claim } = one
  if (word.verdict === 'unknown') return unknown(one, word.why)
  const file = word.file?.replace(/^\.\//, '') ?? null
  if (file === null || word.quote === '')
    return word.verdict === 'refuted'
      ? unknown(one, `it was said to be refuted, without a quotation: ${word.why}`)
      : { id, claim, verdict: 'holds', evidence: word.why, file, line: null }
  const after = await repository.readFile(step.base, file)
  const line = placeOfQuotation(word.quote, { before: null, after }, word.line)
  // Who confirms needs no quotation: a true one that would be too short to refute by is not worse than none.
  if (typeof line !== 'number' && word.verdict === 'holds' && after?.includes(word.quote.trim()))
    return { id, claim, verdict: 'holds', evidence: word.why, file, line: null }
  if (typeof line !== 'number')
    return unknown(
      one,
      `it was said to be ${word.verdict === 'refuted' ? 'refuted' : 'so'} by a quotation that is not in ${file}: ${word.why}`,
    )
  return { id, claim, verdict: word.verdict, evidence: `${word.quote}\n${word.why}`.slice(0, 2_000), file, line }
}

/** A reader says whether its reading has the examples of others so. What it says nothing usable on is unknown. */
export async function tryExamples(work: StepWork<TryExamples>): Promise<Ending> {
  const { step } = work
  const question = { contract: trialContract(nonceOf(work), step.examples.length), role: 'challenger' }
  const about = { commit: step.base, prompt: await examplesPrompt(work), attempt: 1, round: step.turn + 1 }
  return await outcomeOf(
    await askAgent(work, { ...question, ...about }),
    (value) => {
      const words = new Map(value.tried.map((word) => [word.id, word]))
      return tried(step, (id) => words.get(id) ?? unsure('nothing was said about it'))
    },
    (problems, failed) => {
      const why = failed === null ? `no usable answer: ${problems.join('; ')}` : `the turn failed: ${failed}`
      return tried(step, () => unsure(why))
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

type TrialWord = Pick<TriedExample, 'verdict' | 'why'>

const unsure = (why: string): TrialWord => ({ verdict: 'unknown', why: why.slice(0, 300) })

function tried({ id, seat, examples }: TryExamples, wordOn: (example: string) => TrialWord): Outcome {
  const ids = idsOf(examples.length)
  const words = examples.map((example, index): TriedExample => {
    const { verdict, why } = wordOn(ids[index]!)
    return { ...example, verdict, why }
  })
  return { type: 'ExamplesTried', step: id, seat, tried: words }
}
