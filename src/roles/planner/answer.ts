import type { Plan } from '../../delivery/plan/plan.ts'
import { readAnswer } from '../answer/read-answer.ts'
import { planContract } from './contract.ts'

/** The plan in what a planner has written. Of several the last one holds: planners think aloud. */
export function planIn(
  file: string | null,
  text: string,
): { ok: true; plan: Plan } | { ok: false; problems: string[] } {
  const { value, problems } = readAnswer(planContract, { file, text })
  if (value === null) return { ok: false, problems }
  const stories = value.stories.map((story) => ({
    ...story,
    title: story.title || story.id,
    contextFiles: [],
    risks: [],
    proofs: [],
  }))
  return { ok: true, plan: { stories, outline: null } }
}
