import type { CommitId, TreeId } from '../../../delivery/ids.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { hashOf } from '../../../std/hash.ts'
import { parseJson } from '../../../std/json.ts'
import { keepText, readText } from '../../place/text.ts'
import { environmentKeyOf } from '../proof.ts'
import { linesFor } from '../related.ts'
import { type Bench, type Court, linesOf, runCheck } from '../run-check.ts'
import { type Allowance, charge, isTooLong, roomIn } from './allowance.ts'
import type { Asking } from './asking.ts'

export interface Wanted {
  name: string
  commit: CommitId
  tree: TreeId
  tests: string[]
  /** Run, though its result is known: what is known may have been a flake. */
  fresh?: boolean
}

/** What stands for all tests of a check that cannot run single ones. */
export const wholeCheck = '*'

/**
 * What each of these test files shows; nothing of those that could not be run, or that there is no time for. What is
 * known of a tree is not run again.
 */
export async function runFiles(
  court: Court & { asking: Asking; allowance: Allowance },
  { name, commit, tree, tests: wanted, fresh }: Wanted,
): Promise<Map<string, CheckResult>> {
  const { asking, allowance } = court
  const tests = wanted.slice(0, roomIn(allowance))
  if (tests.length === 0 || isTooLong(asking, allowance)) return new Map()
  const withinMs = Math.max(allowance.leftMs, 1_000)
  const plain: Bench = { ...court, check: asking.check, withinMs }
  const perTest = tests.map((path) =>
    asking.tests === null ? [] : (linesFor(plain, [{ path }], asking.folders) ?? []),
  )
  const lines = [...new Map(perTest.flat().map((line) => [JSON.stringify(line), line])).values()]
  const bench: Bench = asking.tests === null ? plain : { ...plain, lines: async () => lines }
  const kept = court.world.places.result(
    court.input.delivery,
    `run-${hashOf([tree, lines, asking.check.name, asking.check.run, await environmentKeyOf(bench)])}`,
  )
  const known = fresh === true ? null : (parseJson((await readText(kept)) ?? '') as CheckResult[] | null)
  const each = known ?? (await runAndKeep(bench, { name, commit, kept, allowance }))
  if (each === null || each.length === 0) return new Map()
  const ended = each.map((result) =>
    isCutShort(result, { asking, allowance, withinMs, of: each.length }) ? null : result,
  )
  if (asking.tests === null) return ended.includes(null) ? new Map() : new Map([[wholeCheck, worstOf(each)]])
  const at = (line: unknown): number => lines.findIndex((one) => JSON.stringify(one) === JSON.stringify(line))
  return new Map(
    tests.flatMap((path, index) => {
      const result = perTest[index]!.length === 0 ? null : (ended[at(perTest[index]![0])] ?? null)
      return result === null ? [] : [[path, result]]
    }),
  )
}

/** Ended by what was left of the time, and perhaps only slow: that it hangs can be said of what had time enough. */
function isCutShort(
  { status }: CheckResult,
  { asking, allowance, withinMs, of }: { asking: Asking; allowance: Allowance; withinMs: number; of: number },
): boolean {
  if (status !== 'timeout') return false
  const { timeoutMs } = asking.check
  const enoughMs = Math.min(timeoutMs, 3 * Math.max(allowance.slowestMs ?? 7_000, 1_000))
  // Others have had their part of it.
  const isLast = of > 1 && allowance.leftMs <= 0
  return isLast || Math.min(timeoutMs, withinMs) < enoughMs
}

async function runAndKeep(
  bench: Bench,
  { name, commit, kept, allowance }: { name: string; commit: CommitId; kept: string; allowance: Allowance },
): Promise<CheckResult[] | null> {
  const ran = await runCheck(bench, { name, commit, overlay: [] })
  if (ran.status !== 'ran') return null
  charge(allowance, ran.durationMs, ran.each.length)
  if (ran.each.some(({ status }) => status === 'timeout' || status === 'crash')) return ran.each
  allowance.slowestMs = Math.max(allowance.slowestMs ?? 0, ran.durationMs)
  // All of a check is more than those of its packages that there was time for.
  if (ran.each.length < (await linesOf(bench, commit)).length) return bench.lines === undefined ? null : ran.each
  await keepText(kept, JSON.stringify(ran.each))
  return ran.each
}

const worstOf = (each: CheckResult[]): CheckResult => each.find(({ status }) => status !== 'pass') ?? each[0]!
