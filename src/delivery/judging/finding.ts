import type { TreeId } from '../ids.ts'

export const severities = ['blocking', 'important', 'suggestion', 'note'] as const
export type Severity = (typeof severities)[number]

/** Something wrong at a place. */
export interface Finding {
  /** The judge that says so: `inspection`, `check:test`, `compose`, `human`, `coder` … */
  source: string
  /** A stable word for the rule: `test-deleted`, `test-failed`, `conflict` … */
  rule: string
  severity: Severity
  file: string | null
  line: number | null
  message: string
  /** What the reader needs to believe and mend it: output, diff, stack. Bounded. */
  evidence: string
  /** Same finding, same fingerprint, whatever the line number. */
  fingerprint: string
  /** Where the cause is to be mended. */
  fixTarget: 'code' | 'tests' | 'story' | 'environment'
}

export type Verdict =
  | { status: 'passed'; proof: Proof | null; concerns: string[] }
  | { status: 'findings'; findings: Finding[]; failures: number; proof: null; concerns: string[] }
  | { status: 'none'; reason: string }

/** A passed verdict of a check on (tree, command, environment key). */
export interface Proof {
  tree: TreeId
  check: string
  command: string
  environmentKey: string
  /** True when an earlier run of the same key was taken instead of running again. */
  reused: boolean
  counts: TestCounts | null
  /** Nothing but the exit code said so: no test was told of, or nobody was to read it. */
  byExitCode?: boolean
  durationMs: number
  outputDigest: string
}

/** A runner that tells no counts has told of no test either. */
export const isByExitCode = (proof: Pick<Proof, 'counts' | 'byExitCode'>): boolean =>
  proof.byExitCode === true || proof.counts === null

export interface TestCounts {
  total: number
  passed: number
  failed: number
  skipped: number
}

/** Which findings send the work back. */
export const blocks = (finding: Finding): boolean => finding.severity === 'blocking' || finding.severity === 'important'

/** An opinion of a reviewer. */
export const isOfReview = ({ source }: Finding): boolean => source.startsWith('review:')

/** What a judge's word on a tree is: a proof where it is that of a command that we run ourselves on all of it. */
export const judgeKinds = {
  inspection: 'opinion',
  related: 'opinion',
  check: 'proof',
  guard: 'proof',
  sensitivity: 'opinion',
  witness: 'opinion',
  red: 'opinion',
  criteria: 'opinion',
  acceptance: 'proof',
  verifier: 'opinion',
} as const
export type JudgeKind = keyof typeof judgeKinds

/** `check:test` is a check; null: nobody is called so. */
export function judgeKindOf(judge: string): JudgeKind | null {
  const [kind = ''] = judge.split(':')
  return Object.hasOwn(judgeKinds, kind) ? (kind as JudgeKind) : null
}

/**
 * What a commit changes, as far as its paths tell. What touches continuous integration is of that kind whatever else it
 * changes, since a story must declare it. `other`: settings, builds and whatever else is none of these.
 */
export const commitKinds = [
  'code with tests',
  'tests only',
  'code only',
  'documentation',
  'continuous integration',
  'other',
] as const
export type CommitKind = (typeof commitKinds)[number]

/** Who printed a check's output; `exit-code` when nobody we know did. */
export const runners = [
  'node:test',
  'tap',
  'junit',
  'vitest',
  'jest',
  'mocha',
  'pytest',
  'unittest',
  'go',
  'cargo',
  'exit-code',
] as const
export type Runner = (typeof runners)[number]
/** Who is to read a check's output: `auto` finds it out, `exit-code` reads nothing. */
export type ParserName = 'auto' | Runner
