import type { Limits } from '../../policy.ts'
import type { Plan, Story } from '../plan.ts'
import { planProblems } from '../validate.ts'

type Sizes = Pick<Limits, 'complexityPerStory' | 'filesPerStory' | 'criteriaPerStory'>

/** What is wrong with a plan that a human brings. */
export const givenProblems = (plan: Plan, limits: Sizes & Pick<Limits, 'storiesPerPlan'>): string[] => [
  ...planProblems(plan, limits.storiesPerPlan),
  ...sizeProblems(plan, limits),
]

/** Stories that are larger than one should be: they are split, or asked about, before anybody codes them. */
export const sizeProblems = ({ stories }: Pick<Plan, 'stories'>, limits: Sizes): string[] =>
  stories.flatMap((story) => oversize(story, limits))

function oversize({ id, complexity, files, criteria }: Story, limits: Sizes): string[] {
  const { complexityPerStory, filesPerStory, criteriaPerStory } = limits
  return [
    ...over(complexity, complexityPerStory, `${id} is of complexity`, 'limits.complexityPerStory'),
    ...over(files.length, filesPerStory, `${id} declares this many files:`, 'limits.filesPerStory'),
    ...over(criteria.length, criteriaPerStory, `${id} has this many criteria:`, 'limits.criteriaPerStory'),
  ]
}

const over = (size: number, limit: number, ...[what, setting]: [string, string]): string[] =>
  size > limit ? [`${what} ${size}; at most ${limit} are allowed (${setting}): split it`] : []
