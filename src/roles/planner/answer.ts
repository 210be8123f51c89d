import type { Plan } from '../../delivery/plan/plan.ts'
import type { PlanAnswer } from './contract.ts'

/** The plan that a planner means by its answer. */
export function planOf({ stories }: PlanAnswer): Plan {
  const whole = stories.map((story) => ({
    ...story,
    title: story.title || story.id,
    contextFiles: [],
    risks: [],
    proofs: [],
  }))
  return { stories: whole, outline: null }
}
