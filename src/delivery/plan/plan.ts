import type { StoryId } from '../ids.ts'

/** The smallest unit that can be merged alone. */
export interface Story {
  id: StoryId
  title: string
  description: string
  criteria: string[]
  dependsOn: StoryId[]
  complexity: Complexity
  /** Declared files; a change elsewhere is a warning. */
  files: string[]
  /** Protected files and tests this story was approved to change. */
  mayChange: string[]
  /** A story may declare that it needs no change at all. */
  mayBeEmpty: boolean
}

export const complexities = [1, 2, 3, 5, 8, 13] as const
export type Complexity = (typeof complexities)[number]

export interface Plan {
  stories: Story[]
}
