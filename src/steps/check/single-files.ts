import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Commits } from '../../ports/repository/commits.ts'
import { join } from '../../proof/files/change.ts'
import { folderFor } from '../../proof/related/packages.ts'
import { testFilesOf } from '../../proof/related/related-tests.ts'
import { runnableBy, singleFilesCommand } from '../../proof/related/single-files.ts'
import type { Tree } from '../../proof/related/tree.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { hashOf } from '../../std/hash.ts'
import { parseJson } from '../../std/json.ts'
import { keepText, readText } from '../place/text.ts'
import { recordOfBase } from './base-runs.ts'
import { environmentKeyOf, provenFor } from './proof.ts'
import { linesFor } from './related.ts'
import { type Bench, type Court, checkFolders, checkLines, runCheck } from './run-check.ts'
import { lookUp } from './verdict.ts'

export interface Wanted {
  name: string
  commit: CommitId
  tree: TreeId
  tests: string[]
  /** Run, though its result is known: what is known may have been a flake. */
  fresh?: boolean
  /** Not run: it is of interest only if it is known. */
  knownOnly?: boolean
}

/** What stands for all tests of a check that cannot run single ones. */
export const wholeCheck = '*'

/**
 * What each of these test files shows; nothing of those that could not be run, or that there is no time for. What is
 * known of a tree is not run again.
 */
export async function runFiles(
  court: Court & { asking: CheckAsked; allowance: Allowance },
  { name, commit, tree, tests: wanted, fresh, knownOnly }: Wanted,
): Promise<Map<string, CheckResult>> {
  const { asking, allowance } = court
  const tests = wanted.slice(0, roomIn(allowance))
  if (tests.length === 0 || takesTooLong(asking, allowance)) return new Map()
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
  const each = known ?? (knownOnly ? null : await runAndKeep(bench, { name, commit, kept, allowance }))
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
  { asking, allowance, withinMs, of }: { asking: CheckAsked; allowance: Allowance; withinMs: number; of: number },
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
  { name, commit, kept, allowance }: Pick<Wanted, 'name' | 'commit'> & { kept: string; allowance: Allowance },
): Promise<CheckResult[] | null> {
  const ran = await runCheck(bench, { name, commit, overlay: [] })
  if (ran.status !== 'ran') return null
  charge(allowance, ran.durationMs, ran.each.length)
  if (ran.each.some(({ status }) => status === 'timeout' || status === 'crash')) return ran.each
  allowance.slowestMs = Math.max(allowance.slowestMs ?? 0, ran.durationMs)
  // All of a check is more than those of its packages that there was time for.
  if (ran.each.length < (await checkLines(bench, commit)).length) return bench.lines === undefined ? null : ran.each
  await keepText(kept, JSON.stringify(ran.each))
  return ran.each
}

const worstOf = (each: CheckResult[]): CheckResult => each.find(({ status }) => status !== 'pass') ?? each[0]!

/** How long the runs of a judge with one check may still take together. */
export interface Allowance {
  leftMs: number
  /** How long the whole check is known to take; 0: nobody knows. */
  wholeMs: number
  /** How long one test file is likely to take, where the check is so long that this counts; else 0. */
  fileMs: number
  /** How long the slowest run took that came to its end. */
  slowestMs?: number
}

const longMs = 60_000

/** Of the time of a long check: together at most a quarter of it, whatever is looked at. */
const shares = { sensitivity: 0.1, witness: 0.15 }

const [lookMs, looks] = [20_000, 3]

/** Of a long check its share; of another what the settings allow, and less where only all of it can be asked. */
export async function allowanceFor(court: Court, asking: CheckAsked, judge: keyof typeof shares): Promise<Allowance> {
  const { breakagesMs } = court.input.policy.limits
  const times = await wholeMsOf({ ...court, check: asking.check })
  const { wholeMs } = times
  if (wholeMs >= longMs) {
    const leftMs = Math.min(breakagesMs, wholeMs * shares[judge])
    return { leftMs, wholeMs, fileMs: wholeMs / Math.max(1, asking.tests?.length ?? 1) }
  }
  // A look is three runs, and on a busy machine, or where much is built first, each of them takes its time.
  const oneMs = Math.min(wholeMs, lookMs)
  if (judge === 'sensitivity') return { leftMs: Math.max(lookMs, looks * oneMs), fileMs: 0, ...times }
  const leftMs = asking.tests === null ? Math.min(breakagesMs, looks * lookMs) : breakagesMs
  return { leftMs, fileMs: 0, ...times }
}

async function wholeMsOf(bench: Bench): Promise<Times> {
  const { known, baseTree, keys } = await lookUp(bench)
  const now = known?.status === 'passed' && known.proof !== null ? known.proof.durationMs : 0
  const proof = await provenFor(bench, { tree: baseTree, environmentKey: keys.plain })
  const ran = proof ?? (await recordOfBase(bench, { tree: baseTree, environment: keys.plain, run: 'first' }))
  return timesOf({ now, before: ran !== null && 'durationMs' in ran ? ran.durationMs : 0 })
}

type Times = Pick<Allowance, 'wholeMs' | 'slowestMs'>

/** Who makes a check slow is not looked at less for it, but given time to end. 0: nobody knows. */
export function timesOf({ now, before }: { now: number; before: number }): Times {
  if (now === 0 || before === 0) return { wholeMs: now + before }
  return now > 2 * before ? { wholeMs: before, slowestMs: now } : { wholeMs: now }
}

/** How many test files can still be run so many times. */
export const roomIn = ({ leftMs, fileMs }: Allowance, times = 1): number =>
  leftMs <= 0 ? 0 : fileMs === 0 ? Number.POSITIVE_INFINITY : Math.floor(leftMs / fileMs / times)

/** Whether all of a check that cannot run single tests would take more than it may. */
export const takesTooLong = ({ tests }: CheckAsked, { leftMs, wholeMs }: Allowance): boolean =>
  tests === null && wholeMs > Math.min(leftMs, lookMs)

export function charge(allowance: Allowance, durationMs: number, files: number): void {
  allowance.leftMs -= durationMs
  if (allowance.fileMs > 0 && files > 0) allowance.fileMs = durationMs / files
}

/** A check that is asked about single test files, or, where it cannot be, about all at once. */
export interface CheckAsked {
  check: CheckPolicy
  folders: string[]
  /** The test files that it can run; null: only all of it. */
  tests: string[] | null
}

/** How a check is asked about the tests of a commit. */
export async function askingOf(
  repository: Commits,
  check: CheckPolicy,
  at: { base: CommitId; commit: CommitId; tree: Tree },
): Promise<CheckAsked> {
  const folders = await checkFolders(repository, check, at.commit)
  const single = await withSingleFiles(repository, check, at.base)
  if (single === null) return { check, folders, tests: null }
  const runs = runnableBy(single.related)
  const isOurs = (path: string): boolean => runs(path) && folderFor(path, folders) !== null && isIntegration(path)
  const tests = testFilesOf(at.tree).filter(isOurs)
  return tests.length === 0 && isRust(at.tree) ? { check, folders, tests: null } : { check: single, folders, tests }
}

/** Of Rust, what stands among the code cannot be run alone. */
const isIntegration = (path: string): boolean => !path.endsWith('.rs') || /(?:^|\/)tests\/[^/]+\.rs$/.test(path)
const isRust = ({ files }: Tree): boolean => [...files].some((path) => path.endsWith('.rs'))

const settings = [
  ...['package.json', '.mocharc.json', '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs'],
  ...['GNUmakefile', 'makefile', 'Makefile'],
]

/** The check with a command for single files, which its owner gave or its runner is known to have; null: it has none. */
export async function withSingleFiles(
  repository: Commits,
  check: CheckPolicy,
  /** Whose scripts count: the base's, which no story has written. */
  commit: CommitId,
): Promise<(CheckPolicy & { related: string }) | null> {
  if (check.related !== null) return { ...check, related: check.related }
  const commands = new Set<string | null>()
  for (const folder of await checkFolders(repository, check, commit)) {
    const texts = await repository.readFiles(
      commit,
      settings.map((name) => join(folder, name)),
    )
    const named = [...texts].map(([path, bytes]) => [path.slice(path.lastIndexOf('/') + 1), textOf(bytes)] as const)
    commands.add(singleFilesCommand({ run: check.run, files: Object.fromEntries(named) }))
  }
  const [related] = commands
  return commands.size === 1 && typeof related === 'string' ? { ...check, related } : null
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
