import type { StepId } from '../ids.ts'
import type { Harvest } from './context.ts'
import type { CheckedAssumption, Interpretation, Seat, TriedExample } from './interpretation.ts'

export type IntentOutcome =
  | { type: 'ContextHarvested'; step: StepId; context: Harvest }
  | { type: 'RequirementRead'; step: StepId; seat: Seat; interpretation: Interpretation; quality: 'full' | 'partial' }
  | { type: 'ReadingFaulted'; step: StepId; seat: Seat; problems: string[] }
  /** What the reader gave no usable word on is unknown. */
  | { type: 'ExamplesTried'; step: StepId; seat: Seat; tried: TriedExample[] }
  /** What the checker gave no usable word on is unknown. */
  | { type: 'AssumptionsChecked'; step: StepId; checked: CheckedAssumption[] }
