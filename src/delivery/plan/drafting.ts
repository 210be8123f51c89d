import type { Plan } from './plan.ts'

export interface PlanState {
  control: PlanControl
  plan: Plan | null
  revision: number
  /** A human brought it: nobody else changes it by themselves. */
  given: boolean
  /** Invalid drafts since the last valid one. */
  repairs: number
  /** Planner turns, so that no two have the same id. */
  turns: number
  /** Drafts that an audit has asked for: a human's rejections are counted without them. */
  redrafts: number
  /** Stories that were put to the planner again because one before them departed from the plan. */
  replans: number
  /** Stories that are too large and that the planner did not split: asked about at the gate. */
  oversize: string[]
  /** Audits since a human last had a say. */
  audits: number
  /** What the last audit found and no draft has mended. */
  audit: { problems: string[]; concerns: string[] } | null
}

export type PlanControl =
  | { status: 'drafting'; feedback: string[] }
  /** Another than its author looks for what is wrong with it. */
  | { status: 'auditing' }
  /** Waits at the gate. */
  | { status: 'proposed' }
  | { status: 'approved' }
  /** A human said no and there is nobody to draft another. */
  | { status: 'rejected'; feedback: string }
  /** The planner could not produce a valid one. */
  | { status: 'faulted'; problems: string[] }
