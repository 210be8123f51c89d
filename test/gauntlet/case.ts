import type { Yard } from './yard.ts'

/** What holds a rogue back, and must let its honest twin through. The generated cases have the same words. */
export const mechanisms = [
  'static',
  'guard',
  'sensitivity',
  'witness',
  'sensing',
  'exit',
  'results',
  'confinement',
  'review',
  'merging',
  'landing',
  'limits',
] as const
export type Mechanism = (typeof mechanisms)[number]

/** One rogue agent or broken world, or its honest twin. */
export interface Case {
  /** The line of the list of failures that it stands for. */
  code: string
  name: string
  /** `inert` is a rogue whose honest part lands while the rest has no effect; it counts as caught. */
  expect: 'caught' | 'inert' | 'passes'
  /** Shell text, run in the workspace; `work` in it does the story honestly. */
  agent: string
  /** The diff alone is judged, by the function that the binary has for it: the agent does nothing but write. */
  read?: true
  /** Besides those of every repository here; null takes one away. */
  files?: Record<string, string | Buffer | null>
  settings?: Settings
  /** What the user's branch is called; `main` by default. */
  branch?: string
  /** Makes the user's repository what it is, once its first commit is there. It may be replaced by another. */
  world?: (place: World) => void
  /** The folder of the repository that the binary is started in. */
  startedIn?: string
  stories?: Story[]
  /** Where something must be done besides the agent: before, while or after the run. Default: one run. */
  drive?: (yard: Yard) => Promise<Run[]>
  /** Of a caught one: how the cause is called, in what people can read. */
  names?: RegExp
  /** Other stories that land: all the same, or because they were added to the plan. */
  spares?: string[]
  /** What the agent or somebody else does to the user's repository itself; not compared then. */
  disturbs?: (keyof Untouched)[]
  /** The base's own check is red, so what lands cannot be green as a whole. */
  redBase?: true
  /** It passes without anything to merge. */
  empty?: true
  /** Further things that must hold. */
  after?: (yard: Yard, runs: Run[]) => void
}

/** Where a case's repository is, before anything is looked at. */
export interface World {
  folder: string
  repo: string
  git(...args: string[]): string
}

export interface Settings {
  target?: string
  /** Null: the settings name no check. */
  check?: string | null
  parser?: string
  checkTimeoutMs?: number
  timeoutMs?: number
  idleTimeoutMs?: number
  setup?: string
  land?: 'end' | 'each'
  limits?: Record<string, number>
  checks?: Record<string, unknown>
  protect?: string[]
  strategy?: 'tdd' | 'three-session'
  acceptance?: true
  /** Who reviews, as in the settings; the agent is called `rogue`. */
  review?: object
  /** As in the settings; off where the case is not about what tests notice. */
  mutation?: 'block' | 'off'
  /** As in the settings; agents and checks are free here unless it is said. */
  sandbox?: 'auto'
  /** The agent is confined to its workspace, as agents are unless they are a command of the user's own. */
  confined?: true
}

export interface Story {
  id: string
  files?: string[]
  dependsOn?: string[]
  mayChange?: string[]
  mayBeEmpty?: boolean
  description?: string
  criteria?: string[]
  tests?: 'witnessed' | 'characterisation'
  proofs?: object[]
}

/** What one call of the binary left. */
export interface Run {
  code: number | null
  output: string
}

export interface Untouched {
  head: string
  branches: string
  stash: string
  config: string
  hooks: string
  index: string
  files: string
  worktrees: string
  gitFolder: string
}
