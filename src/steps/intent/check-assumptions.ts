import type { Outcome } from '../../delivery/events.ts'
import type { Assumption, CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import type { CheckAssumptions } from '../../delivery/intent/steps.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { placeOfQuotation } from '../../proof/review/quotation.ts'
import { type CheckAnswer, checkContract, checkerPrompt } from '../../roles/challenger/assumptions.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { ask, turnsIn } from '../agent/ask.ts'
import { nonceOf } from '../agent/nonce.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import { repositoryFor } from '../place/request.ts'
import type { StepWorld } from '../world.ts'

type Checking = Performance<CheckAssumptions>
type Word = CheckAnswer['checked'][number]

/** An agent that knows nothing but the claims looks for what refutes them. Only what is in the files counts as seen. */
export async function checkAssumptions(world: StepWorld, performance: Checking): Promise<Ending> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const prompt = await claimsPrompt(world, performance, repository)
  const question = {
    contract: checkContract(nonceOf(performance), step.assumptions),
    role: 'challenger',
    prompt,
    attempt: 1,
    round: step.turn + 1,
  }
  const asked = await ask(world, performance, { repository, commit: step.base, ...question })
  if (asked.type === 'failed') return checked(step, all(step, `the checker's turn failed: ${asked.message}`))
  if (asked.type !== 'answered') return asked
  const { answer } = asked
  if (answer.value === null)
    return checked(step, all(step, `the checker gave no usable answer: ${answer.problems.join('; ')}`))
  const words = new Map(answer.value.checked.map((word) => [word.id, word]))
  const said = await Promise.all(
    step.assumptions.map((one) => weighed(repository, { one, word: words.get(one.id), step })),
  )
  return checked(step, said)
}

/** What the checker is told. */
export async function claimsPrompt(world: StepWorld, performance: Checking, repository: Repository): Promise<Prompt> {
  const { state, step } = performance
  const setting = await settingFor({ world, state, repository }, 'challenger-assumptions', {
    words: turnsIn(state),
  })
  const [nonce, result] = [nonceOf(performance), resultFileOf(world, performance)]
  return checkerPrompt({ assumptions: step.assumptions, nonce, result }, setting)
}

const checked = (step: CheckAssumptions, words: CheckedAssumption[]): Outcome => ({
  type: 'AssumptionsChecked',
  step: step.id,
  checked: words,
})

const all = ({ assumptions }: CheckAssumptions, why: string): CheckedAssumption[] =>
  assumptions.map((one) => unknown(one, why))

const unknown = ({ id, claim }: Assumption, why: string): CheckedAssumption => ({
  ...{ id, claim, verdict: 'unknown', evidence: why.slice(0, 1_000), file: null, line: null },
})

/** Refuted needs a quotation that is there; whoever quotes what is not there has not looked. */
async function weighed(
  repository: Repository,
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
