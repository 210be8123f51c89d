import type { Rebuttal, ReviewWord } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { type Rebuttals, rebuttalContract, rebuttalPrompt } from '../../roles/reviewer/rebuttal.ts'
import { askAgent, outcomeOf } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import { namedFindings, settingOf } from './change.ts'
import { isQuotedAnywhere, type ReviewGround } from './founded.ts'

/** What a reviewer who approved makes of what others would hold the work up for. */
export async function rebut(ground: ReviewGround): Promise<Ending> {
  const { step, input } = ground
  const { commit, attempt, reviewRound: round } = step
  const names = namedFindings(step.rebuts).map(({ name }) => name)
  const question = { contract: rebuttalContract(commit, names), role: 'reviewer', prompt: await rebutPrompt(ground) }
  return await outcomeOf(
    await askAgent(ground, { commit, attempt, round, ...question, timeoutMs: input.policy.review.timeoutMs }),
    async (value) => {
      const silent = { findings: [], checked: [], criteria: [], checklist: [], outside: [] }
      const rebuttals = await rebuttalsIn(ground, value)
      return reviewed(step, { status: 'returned', verdict: 'approve', ...silent, rebuttals })
    },
    (problems, failed) => {
      const why = failed === null ? `its answer is no rebuttal: ${problems.join('; ')}` : `its turn failed: ${failed}`
      return reviewed(step, absent(why))
    },
  )
}

async function rebuttalsIn(ground: ReviewGround, { rebuttals }: Rebuttals): Promise<Rebuttal[]> {
  const rebuts = namedFindings(ground.step.rebuts)
  const told: Rebuttal[] = []
  for (const { finding: name, stance: said, evidence, because } of rebuttals) {
    const { fingerprint, file } = rebuts.find((one) => one.name === name)!.finding
    // A dispute that shows nothing is a doubt.
    const stance = said === 'disputed' && !(await isQuotedAnywhere(evidence, file, ground)) ? 'unsure' : said
    told.push({ fingerprint, stance, because: because.slice(0, 2_000) })
  }
  return told
}

/** What it is told. */
export async function rebutPrompt(ground: ReviewGround): Promise<Prompt> {
  const brief = { ...ground.told, rebuts: namedFindings(ground.step.rebuts), result: resultFileOf(ground) }
  return rebuttalPrompt(brief, await settingOf(ground, 'reviewer-rebuttal', ground))
}

export const reviewed = ({ id, story, vantage, commit }: ReviewStory, word: ReviewWord): Ending => ({
  ...{ type: 'StoryReviewed', step: id },
  ...{ story, vantage, commit, word },
})

export const absent = (reason: string): ReviewWord => ({ status: 'absent', reason: reason.slice(0, 1_000) })
