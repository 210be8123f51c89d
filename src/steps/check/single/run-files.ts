import { rename, writeFile } from 'node:fs/promises'
import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import { parseJson } from '../../../proof/inspection/script-closure.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { hashOf } from '../../../std/hash.ts'
import { readText } from '../../place/text.ts'
import { environmentKeyOf } from '../proof.ts'
import { linesFor } from '../related.ts'
import { type Bench, type Court, runCheck } from '../run-check.ts'

/** A check that is asked about single test files, or, where it cannot be, about all at once. */
export interface Asking {
  check: CheckPolicy
  folders: string[]
  /** The test files that it can run; null: only all of it. */
  tests: string[] | null
}

/** How long runs may still take together. */
export interface Allowance {
  leftMs: number
}

export interface Wanted {
  name: string
  commit: CommitId
  tree: TreeId
  tests: string[]
}

/** What stands for all tests of a check that cannot run single ones. */
export const wholeCheck = '*'

/** What each of these test files shows; nothing of those that could not be run. What is known of a tree is not run again. */
export async function runFiles(
  court: Court & { asking: Asking; allowance: Allowance },
  { name, commit, tree, tests }: Wanted,
): Promise<Map<string, CheckResult>> {
  const { asking, allowance } = court
  if (tests.length === 0 || allowance.leftMs <= 0) return new Map()
  const timeoutMs = Math.min(asking.check.timeoutMs, Math.max(allowance.leftMs, 1_000))
  const plain: Bench = { ...court, check: { ...asking.check, timeoutMs } }
  const perTest = tests.map((path) =>
    asking.tests === null ? [] : (linesFor(plain, [{ path }], asking.folders) ?? []),
  )
  const lines = [...new Map(perTest.flat().map((line) => [JSON.stringify(line), line])).values()]
  const bench: Bench = asking.tests === null ? plain : { ...plain, lines: async () => lines }
  const kept = court.world.places.result(
    court.performance.state.id,
    `run-${hashOf([tree, lines, asking.check.name, asking.check.run, await environmentKeyOf(bench, [])])}`,
  )
  const known = parseJson((await readText(kept)) ?? '') as CheckResult[] | null
  const each = known ?? (await runAndKeep(bench, { name, commit, kept, allowance }))
  if (each === null || each.length === 0) return new Map()
  if (asking.tests === null) return new Map([[wholeCheck, worstOf(each)]])
  const at = (line: unknown): number => lines.findIndex((one) => JSON.stringify(one) === JSON.stringify(line))
  return new Map(
    tests.flatMap((path, index) => (perTest[index]!.length === 0 ? [] : [[path, each[at(perTest[index]![0])]!]])),
  )
}

async function runAndKeep(
  bench: Bench,
  { name, commit, kept, allowance }: { name: string; commit: CommitId; kept: string; allowance: Allowance },
): Promise<CheckResult[] | null> {
  const ran = await runCheck(bench, { name, commit, overlay: [] })
  if (ran.status !== 'ran') return null
  allowance.leftMs -= ran.durationMs
  if (ran.each.some(({ status }) => status === 'timeout' || status === 'crash')) return ran.each
  await writeFile(`${kept}.making`, JSON.stringify(ran.each), { mode: 0o600 })
  await rename(`${kept}.making`, kept)
  return ran.each
}

const worstOf = (each: CheckResult[]): CheckResult => each.find(({ status }) => status !== 'pass') ?? each[0]!
