import type { CommitKind } from '../../delivery/judging/commit-kind.ts'

/** What running can say anything about. */
const judgedByRunning: readonly CommitKind[] = ['code with tests', 'tests only', 'code only']

/** So many of those that change code or tests: in turns of each kind, spread over the time; always the same ones. */
export function sampleOf<T extends { kind: CommitKind }>(commits: readonly T[], most: number): T[] {
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
