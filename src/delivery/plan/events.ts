import type { StepId, StoryId } from '../ids.ts'
import type { Story } from './plan.ts'

export type SpecOutcome =
  /** `problems` are to be mended by another draft; `concerns` only told, also that there was no usable answer. */
  | { type: 'PlanAudited'; step: StepId; revision: number; problems: string[]; concerns: string[] }
  | { type: 'StoryRespecified'; step: StepId; story: StoryId; changes: Partial<Omit<Story, 'id'>>; cause: string }
  /** What it builds on is not as planned, and still it is right as it is. */
  | { type: 'StoryUpheld'; step: StepId; story: StoryId; why: string }
  | { type: 'StorySplit'; step: StepId; story: StoryId; into: Story[]; cause: string }
  | { type: 'RespecifyFaulted'; step: StepId; story: StoryId; problems: string[] }
  /** A human may work in it now. What they leave comes as `StoryCoded`. */
  | { type: 'WorkspaceLent'; step: StepId; story: StoryId; path: string }
