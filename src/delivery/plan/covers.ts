import type { Plan } from './plan.ts'

/** Criteria of the requirement that no story fulfils, and what the plan says of stories that it does not have. */
export function coverProblems({ stories, outline }: Plan, criteria: string[]): string[] {
  const known = new Set(stories.map(({ id }) => id))
  const covers = outline?.covers ?? []
  const covered = new Set(covers.filter((one) => one.stories.length > 0).map(({ criterion }) => plainWords(criterion)))
  return [
    ...covers.flatMap(({ criterion, stories: ids }) =>
      ids
        .filter((id) => !known.has(id))
        .map((id) => `"${criterion}" is to be fulfilled by ${id}, which is not in the plan`),
    ),
    ...criteria
      .filter((criterion) => !covered.has(plainWords(criterion)))
      .map((criterion) => `no story is said to fulfil this criterion of the requirement (covers): ${criterion}`),
  ]
}

/** Two ways to write the same words. */
export const plainWords = (text: string): string => text.trim().replace(/\s+/g, ' ').replace(/\.$/, '').toLowerCase()
