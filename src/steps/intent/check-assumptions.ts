import type { Outcome } from '../../delivery/events.ts'
import type { Assumption, CheckedAssumption } from '../../delivery/intent/interpretation.ts'
import type { CheckAssumptions } from '../../delivery/intent/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Commits } from '../../ports/repository/commits.ts'
import { placeOfQuotation } from '../../proof/review/quotation.ts'
import { type CheckAnswer, checkContract, checkerPrompt } from '../../roles/challenger/assumptions.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { askAgent, outcomeOf, turnsIn } from '../agent/ask.ts'
import { nonceOf, resultFileOf } from '../agent/transcript.ts'
import { settingFor } from '../brief/setting.ts'
import type { StepWork } from '../work.ts'

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
