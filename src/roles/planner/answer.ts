import type { Plan, Story } from '../../delivery/plan/plan.ts'
import type { PlanAnswer, StoryAnswer } from './contract.ts'
import { outlineOf, proofOf } from './outline.ts'

/** The plan that a planner means by its answer. `criteria`: those of the requirement, in the order in which it was told them. */
export const planOf = ({ stories, outline }: PlanAnswer, criteria: string[]): Plan => ({
  stories: stories.map(storyOf),
  outline: outline === null ? null : outlineOf(outline, criteria),
})

export const storyOf = (story: StoryAnswer): Story => ({
  ...story,
  title: story.title || story.id,
  proofs: story.proofs.map(proofOf),
})
