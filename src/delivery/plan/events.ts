import type { StepId, StoryId } from '../ids.ts'
import type { Story } from './plan.ts'

export type SpecOutcome =
  | { type: 'PlanAudited'; step: StepId; revision: number; problems: string[]; concerns: string[] }
  | { type: 'StoryRespecified'; step: StepId; story: StoryId; changes: Partial<Omit<Story, 'id'>>; cause: string }
  | { type: 'StorySplit'; step: StepId; story: StoryId; into: Story[]; cause: string }
  | { type: 'RespecifyFaulted'; step: StepId; story: StoryId; problems: string[] }
