import { blocks, type CommitKind, commitKinds, type Finding } from '../../delivery/judging/finding.ts'
import { adviceOn } from './advice.ts'
import type { RunsView, StoppedCommit } from './runs.ts'

interface RehearsedCommit {
  commit: string
  subject: string
  kind: CommitKind
  findings: Finding[]
}

/** What would have become of work that is there already. */
export interface RehearsalView {
  target: string
  commits: number
  stopped: number
  kinds: { kind: CommitKind; commits: number; stopped: number }[]
  /** By what they would have been stopped, the most frequent first. */
  rules: { rule: string; commits: StoppedCommit[] }[]
  /** What would only have been told, and on how many commits. */
  told: { rule: string; commits: number }[]
  advice: string[]
  /** Null: nothing was run. */
  runs: RunsView | null
  /** Somebody ended it: this is what was known by then. */
  interrupted: boolean
}

export function rehearsalView(
  target: string,
  commits: readonly RehearsedCommit[],
): Omit<RehearsalView, 'runs' | 'interrupted'> {
  const isStopped = ({ findings }: RehearsedCommit): boolean => findings.some(blocks)
  const kinds = commitKinds.map((kind) => {
    const own = commits.filter((one) => one.kind === kind)
    return { kind, commits: own.length, stopped: own.filter(isStopped).length }
  })
  const rules = rulesOf(commits)
  const told = [...rulesIn(commits, (finding) => finding.severity === 'suggestion')]
  return {
    ...{ target, commits: commits.length, stopped: commits.filter(isStopped).length, kinds, rules },
    told: told.map(([rule, own]) => ({ rule, commits: own.length })).sort((a, b) => b.commits - a.commits),
    advice: adviceOn(rules),
  }
}

const rulesOf = (commits: readonly RehearsedCommit[]): RehearsalView['rules'] =>
  [...rulesIn(commits, blocks)]
    .map(([rule, own]) => ({
      rule,
      commits: own.map(({ commit, subject, kind, findings }) => {
        const found = findings.filter((finding) => finding.rule === rule && blocks(finding))
        const { file, message } = found[0]!
        return { commit, subject, kind, rule, file, message, findings: found.length }
      }),
    }))
    .sort((a, b) => b.commits.length - a.commits.length)

function rulesIn(
  commits: readonly RehearsedCommit[],
  counts: (finding: Finding) => boolean,
): Map<string, RehearsedCommit[]> {
  const rules = new Map<string, RehearsedCommit[]>()
  for (const one of commits)
    for (const rule of new Set(one.findings.filter(counts).map((finding) => finding.rule)))
      rules.set(rule, [...(rules.get(rule) ?? []), one])
  return rules
}

/** What running can say anything about. */
const judgedByRunning: readonly CommitKind[] = ['code with tests', 'tests only', 'code only']

/** So many of those that change code or tests: in turns of each kind, spread over the time; always the same ones. */
export function rehearsalSample<T extends { kind: CommitKind }>(commits: readonly T[], most: number): T[] {
  const kinds = judgedByRunning.map((kind) => commits.filter((one) => one.kind === kind))
  const counts = kinds.map(() => 0)
  for (let left = most; left > 0; ) {
    const open = kinds.flatMap((own, index) => (counts[index]! < own.length ? [index] : []))
    if (open.length === 0) break
    for (const index of open.slice(0, left)) counts[index]! += 1
    left -= Math.min(left, open.length)
  }
  const chosen = new Set(kinds.flatMap((own, index) => spread(own, counts[index]!)))
  return commits.filter((one) => chosen.has(one))
}

const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, index) => all[Math.floor(((index + 0.5) * all.length) / count)]!)
