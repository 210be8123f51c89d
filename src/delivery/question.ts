import type { Instant, QuestionId, StoryId } from './ids.ts'

/** What only a human can settle. Gates, escalations and a landing that has to wait are all this. */
export interface Question {
  id: QuestionId
  kind: QuestionKind
  story: StoryId | null
  text: string
  options: Option[]
  /** What happens when the deadline passes; null waits for a human for as long as it takes. */
  default: string | null
  deadlineAt: Instant | null
  evidence: string
}

export type QuestionKind =
  | 'intent'
  | 'plan-gate'
  | 'story-gate'
  | 'escalation'
  | 'landing'
  | 'trouble'
  | 'coder'
  | 'permission'
  | 'spec-gate'
  | 'intent-gap'
  | 'take-over'
  | 'triage'
  | 'split'
  | 'unverified'
  | 'changed-tests'

export interface Option {
  id: string
  label: string
}

export interface Answer {
  option: string
  text: string
  by: string
  at: Instant
}
