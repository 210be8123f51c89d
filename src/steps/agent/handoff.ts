import type { CodeStory } from '../../delivery/step.ts'
import type { Handoff } from '../../delivery/story/handoff.ts'
import type { AgentResult } from '../../ports/agent-driver.ts'
import { readAnswer, type Written } from '../../roles/answer/read-answer.ts'
import {
  type Blocked,
  blockedIn,
  handoffOf,
  isMeantAsHandoff,
  remainsOf,
  wholeHandoff,
} from '../../roles/coder/handoff.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { keepText, readText } from '../place/text.ts'
import type { StepWork } from '../work.ts'
import { settledAnswer } from './ask.ts'
import { writtenResult } from './turn-record.ts'

type Coding = StepWork<CodeStory>

/** What a coder says about its work, beside the work. */
export interface CoderReport {
  summary: string
  handoff: Handoff
  /** Why it could not do the story as it is written. */
  blocked: Blocked | null
}

/** Reads a finished turn's report; a handoff that cannot be read is asked for again, and where the settings want it, any that does not do. */
export async function reportOf(
  work: Coding,
  { result, ...turn }: { prompt: Prompt; place: string; result: AgentResult },
): Promise<CoderReport> {
  const { input, step, record } = work
  const written: Written = { file: await writtenResult(work), text: work.world.redact(result.text) }
  const summary = written.text.slice(0, 2_000)
  const blocked = step.phase === 'code' ? blockedIn(written) : null
  const answer = readAnswer(wholeHandoff, written)
  const first = answer.value === null ? remainsOf(written, written.text) : handoffOf(answer, written.text)
  // Something was to be handed over, perhaps a departure: silence about it is not the same as none.
  const isLost = answer.value === null && isMeantAsHandoff(written)
  const isEnough = first.quality === 'full' || (input.policy.partialHandoff === 'proceed' && !isLost)
  if (blocked !== null || isEnough || step.phase === 'tests') return { summary, handoff: first, blocked }
  const asked = await settledAnswer(work, { ...turn, contract: wholeHandoff, first: result })
  // The work is there, whatever became of asking about it.
  const isAnswered = asked.type === 'answered' && asked.answer.value !== null
  const better = isAnswered ? handoffOf(asked.answer, written.text) : first
  if (isLost && !isAnswered) {
    const why = answer.problems.slice(0, 3).join('; ')
    const text = `what its coder left for others could not be read, so nobody knows whether it departs from the plan: ${why}`
    await record({ type: 'ConcernRaised', story: step.story, text })
  }
  return { summary, handoff: better, blocked }
}

/** Before the work is on record, so that whoever finds only the work finds the report, too. */
export const keepReport = (work: Coding, { summary, handoff }: CoderReport): Promise<void> =>
  keepText(keptIn(work, work.try), JSON.stringify({ summary, handoff }))

/** What an earlier try has kept; null: nothing that can be read. */
export async function keptReport(work: Coding): Promise<Omit<CoderReport, 'blocked'> | null> {
  for (let number = work.try - 1; number > 0; number--) {
    const text = await readText(keptIn(work, number))
    // After a power cut, it may be there and empty.
    if (text !== null && text !== '') return JSON.parse(text)
  }
  return null
}

const keptIn = ({ world, input, step }: Coding, number: number): string =>
  world.places.spool(input.delivery, `${step.id}-${number}.report.json`)
