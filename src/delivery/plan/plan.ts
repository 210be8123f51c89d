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
  /** What to read before beginning. */
  contextFiles: string[]
  risks: string[]
  /** Protected files and tests this story was approved to change. */
  mayChange: string[]
  /** A story may declare that it needs no change at all. */
  mayBeEmpty: boolean
  /** When its tests are written, and by whom; null: as the settings say. */
  strategy: Strategy | null
  /** Why the strategy is `none`; empty with any other. */
  noTestsBecause: string
  /** `witnessed`: they fail without its change. `characterisation`: they hold with and without it. */
  tests: (typeof testKinds)[number]
  /** What must hold in its result, said so that a machine can tell. */
  proofs: Criterion[]
}

/** A story that nobody planned, with what is special about it. */
export const plainStory = (
  given: Pick<Story, 'id' | 'title' | 'description' | 'criteria'> & Partial<Story>,
): Story => ({
  ...{ dependsOn: [], complexity: 5, files: [], contextFiles: [], risks: [], mayChange: [], mayBeEmpty: false },
  ...{ strategy: null, noTestsBecause: '', tests: 'witnessed', proofs: [] },
  ...given,
})

export const testKinds = ['witnessed', 'characterisation'] as const

/**
 * `none`: no tests. `after`: with the change, or after it. `tdd`: first, shown to fail, then the change in the same
 * session. `three-session`: so, but one session writes the tests, one the change, and a third judges it.
 */
export const strategies = ['none', 'after', 'tdd', 'three-session'] as const
export type Strategy = (typeof strategies)[number]

export const criterionTypes = [
  'file-exists',
  'file-contains',
  'command-succeeds',
  'output-contains',
  'coverage-at-least',
] as const satisfies Criterion['type'][]

export type Criterion =
  | { type: 'file-exists'; path: string }
  | { type: 'file-contains'; path: string; text: string }
  | { type: 'command-succeeds'; run: string }
  | { type: 'output-contains'; run: string; text: string }
  /** Percent of lines, as the report in this file (lcov or a JSON summary) tells. */
  | { type: 'coverage-at-least'; report: string; percent: number }

export const complexities = [1, 2, 3, 5, 8, 13] as const
export type Complexity = (typeof complexities)[number]

export interface Plan {
  stories: Story[]
  /** Why it is this plan; null where nobody said. */
  outline: Outline | null
}

export interface Outline {
  approach: string
  /** The next best approach, and why it lost. */
  runnerUp: { approach: string; lostBecause: string }
  invariants: string[]
  nonGoals: string[]
  tradeOffs: string[]
  /** Looked at, item by item, when the work is reviewed. */
  checklist: { must: boolean; item: string }[]
  /** What would make us take the runner-up. */
  switchWhen: string
  /** Each criterion of the requirement, with the stories that fulfil it. */
  covers: { criterion: string; stories: StoryId[] }[]
  /** What is open, and what was decided meanwhile. */
  risks: { risk: string; decision: string }[]
}

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
