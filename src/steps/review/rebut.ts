import type { Rebuttal } from '../../delivery/review/review.ts'
import type { ReviewStory } from '../../delivery/review/steps.ts'
import type { Ending, Performance } from '../../ports/performer.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { type Rebuttals, rebuttalContract, rebuttalPrompt } from '../../roles/reviewer/rebuttal.ts'
import { ask } from '../agent/ask.ts'
import { resultFileOf } from '../agent/transcript.ts'
import type { StepWorld } from '../world.ts'
import { reviewTimeoutMs, type Subject, settingOf } from './change.ts'
import { isQuotedAnywhere } from './founded.ts'
import { named } from './named.ts'
import { absent, groundOf, reviewed } from './word.ts'

/** What a reviewer who approved makes of what others would hold the work up for. */
export async function rebut(
  world: StepWorld,
  performance: Performance<ReviewStory>,
  subject: Subject,
): Promise<Ending> {
  const { step } = performance
  const { repository } = subject
  const rebuts = named(step.rebuts)
  const asked = await ask(world, performance, {
    repository,
    ...{ commit: step.commit, role: 'reviewer', attempt: step.attempt, round: step.reviewRound },
    prompt: await rebutPrompt(world, performance, subject),
    contract: rebuttalContract(
      step.commit,
      rebuts.map(({ name }) => name),
    ),
    timeoutMs: reviewTimeoutMs(performance),
  })
  if (asked.type === 'failed') return reviewed(step, absent(`its turn failed: ${asked.message}`))
  if (asked.type !== 'answered') return asked
  const { value, problems } = asked.answer
  if (value === null) return reviewed(step, absent(`its answer is no rebuttal: ${problems.join('; ')}`))
  const ground = groundOf(world, performance, subject)
  const isThere = (one: Rebuttals['rebuttals'][number]): Promise<boolean> => {
    const { finding } = rebuts.find(({ name }) => name === one.finding)!
    return isQuotedAnywhere(one.evidence, finding.file, ground)
  }
  const rebuttals: Rebuttal[] = []
  for (const one of value.rebuttals) {
    const { fingerprint } = rebuts.find(({ name }) => name === one.finding)!.finding
    // A dispute that shows nothing is a doubt.
    const stance = one.stance === 'disputed' && !(await isThere(one)) ? 'unsure' : one.stance
    rebuttals.push({ fingerprint, stance, because: one.because.slice(0, 2_000) })
  }
  const silent = { findings: [], checked: [], criteria: [], checklist: [], outside: [] }
  return reviewed(step, { status: 'returned', verdict: 'approve', ...silent, rebuttals })
}

/** What it is told. */
export async function rebutPrompt(
  world: StepWorld,
  performance: Performance<ReviewStory>,
  subject: Subject,
): Promise<Prompt> {
  const { step } = performance
  const setting = await settingOf(world, performance, { name: 'reviewer-rebuttal', subject })
  return rebuttalPrompt(
    { ...subject.told, rebuts: named(step.rebuts), result: resultFileOf(world, performance) },
    setting,
  )
}
