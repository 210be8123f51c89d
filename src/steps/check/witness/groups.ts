import type { Finding } from '../../../delivery/judging/finding.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { Change } from '../../../proof/files/change.ts'
import { folderFor } from '../../../proof/related/packages.ts'
import { runnableBy } from '../../../proof/related/single-files.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { findingsOf } from '../../../proof/results/faults.ts'
import { changedTests, means } from '../../../proof/witness/named-tests.ts'
import { type Subject, touchedTests } from '../../../proof/witness/subject.ts'
import { linesFor } from '../related.ts'
import {
  type Bench,
  type CheckLine,
  type Court,
  checkFolders,
  checkLines,
  type Overlay,
  type Ran,
  type RunRequest,
  runCheck,
} from '../run-check.ts'
import { type Allowance, charge, roomIn, withSingleFiles } from '../single-files.ts'
import type { Hearing } from './hearing.ts'

/** Test files that one check can run, in parts that are run by one command each. */
export interface Group {
  /** Tells its runs from those of the others. */
  name: string
  check: CheckPolicy
  /** Where the check runs. */
  folders: string[]
  parts: Change[][]
}

const mostParts = 12

/** Each file goes to the first check that can run it alone. */
export async function groupsOf(court: Court, subject: Subject, checks: CheckPolicy[]): Promise<Group[]> {
  const groups: Group[] = []
  let open = touchedTests(subject)
  for (const one of checks) {
    const check = await withSingleFiles(court.repository, one, court.step.base)
    if (check === null) continue
    const folders = await checkFolders(court.repository, check, court.step.commit)
    const runs = runnableBy(check.related)
    const own = open.filter(({ path }) => runs(path) && folderFor(path, folders) !== null)
    open = open.filter((change) => !own.includes(change))
    if (own.length > 0) groups.push({ name: `-${groups.length}`, check, folders, parts: partsOf(own, folders) })
  }
  return groups
}

/** Those that no check can run alone. */
export function notInGroups(subject: Subject, groups: Group[]): Change[] {
  const run = new Set(groups.flatMap(({ parts }) => parts.flat()))
  return touchedTests(subject).filter((change) => !run.has(change))
}

/** One file each, so that each has its own word; several where there are too many. */
function partsOf(changes: Change[], folders: string[]): Change[][] {
  const size = Math.ceil(changes.length / mostParts)
  const parts: Change[][] = []
  for (const folder of folders) {
    const inside = changes.filter(({ path }) => folderFor(path, folders) === folder)
    for (let at = 0; at < inside.length; at += size) parts.push(inside.slice(at, at + size))
  }
  return parts
}

/** What is wrong with the tests on the commit itself; only theirs, for the full check tells the rest. */
export async function runOnCommit(hearing: Hearing, group: Group, { former }: Subject): Promise<Finding[] | NoTime> {
  const { commit } = hearing.step
  const bench = benchFor(hearing, group, [group.parts.flat()])
  const files = group.parts.flat().length
  const ran = await runInTime(hearing, bench, { name: `${group.name}-commit`, commit, overlay: [], files })
  if (ran === noTime) return noTime
  if (ran.status === 'not-set-up') throw notSetUp(ran)
  const unchanged = group.parts.flat().flatMap((change) => changedTests(change, former).same)
  const failures = ran.result.failures.filter(({ test }) => !unchanged.some((name) => means(test, name)))
  const excused = ran.result.status === 'test-failure' && ran.result.failures.length > 0 && failures.length === 0
  if (ran.result.status === 'pass' || excused) return []
  const found = findingsOf({ ...ran.result, failures }, group.check.name)
  return found.map((finding) => ({ ...finding, source: 'witness' }))
}

/** Of a check so long that only a part of its time is given to the witness. */
export const noTime = 'no time'
type NoTime = typeof noTime

/** Whether its tests can be run on the commit and on the base, and one of them once more for what is broken. */
export function hasTime(hearing: Hearing, { check, parts }: Group): boolean {
  const allowance = allowanceOf(hearing, check)
  return allowance === undefined || 2 * parts.flat().length < roomIn(allowance)
}

const allowanceOf = ({ askings }: Hearing, check: CheckPolicy): Allowance | undefined =>
  askings.find(({ asking }) => asking.check.name === check.name)?.allowance

async function runInTime(
  hearing: Hearing,
  bench: Bench,
  { files, ...request }: RunRequest & { files: number },
): Promise<Ran | NoTime> {
  const allowance = allowanceOf(hearing, bench.check)
  if (allowance === undefined || allowance.fileMs === 0) return await runCheck(bench, request)
  const ran = await runCheck({ ...bench, withinMs: allowance.leftMs }, request)
  if (ran.status !== 'ran') return ran
  charge(allowance, ran.durationMs, files)
  const isWhole = ran.each.length === (await checkLines(bench, request.commit)).length
  const isCut = allowance.leftMs <= 0 && ran.each.some(({ status }) => status === 'timeout')
  return isWhole && !isCut ? ran : noTime
}

/** What each part shows on the commit itself. */
export async function runEach(court: Court, group: Group, name: string): Promise<CheckResult[]> {
  const { commit } = court.step
  const bench = benchFor(court, group, group.parts)
  const ran = await runCheck(bench, { name: `${group.name}${name}`, commit, overlay: [] })
  if (ran.status === 'not-set-up') throw notSetUp(ran)
  return ran.each
}

const notSetUp = ({ problem, output }: Extract<Ran, { status: 'not-set-up' }>): TerminalError =>
  new TerminalError(`${problem}: ${output.slice(-600)}`, 'Make "setup" in the settings work, then retry.')

/** What each part shows with the code as it was before; null when that cannot even be set up. */
export async function runGroupOnBase(
  hearing: Hearing,
  group: Group,
  subject: Subject,
): Promise<CheckResult[] | NoTime | null> {
  const { base } = hearing.step
  const bench = benchFor(hearing, group, group.parts)
  const overlay = await overlayOf(hearing, subject)
  const files = group.parts.flat().length
  const ran = await runInTime(hearing, bench, { name: `${group.name}-before`, commit: base, overlay, files })
  if (ran === noTime) return noTime
  return ran.status === 'ran' ? ran.each : null
}

/** Whether the same files executed no test before, either: all are left out here, whoever wrote them. */
export async function wereUnheard(hearing: Hearing, group: Group): Promise<boolean> {
  const { base } = hearing.step
  const files = group.parts.flat()
  if (files.some(({ before, oldPath }) => before === null || oldPath !== null)) return false
  const request = { name: `${group.name}-unheard`, commit: base, overlay: [], files: files.length }
  const ran = await runInTime(hearing, benchFor(hearing, group, [files]), request)
  return ran !== noTime && ran.status === 'ran' && ran.result.status === 'no-tests'
}

/** The story's tests and what they lean on, over the code of the base. */
async function overlayOf({ repository, step }: Court, { tests, support }: Subject): Promise<Overlay[]> {
  const paths = [...tests, ...support].map(({ path }) => path)
  const contents = await repository.readFiles(step.commit, paths)
  return [...contents].map(([path, text]) => ({ path, text }))
}

function benchFor(court: Court, { check, folders }: Group, parts: { path: string }[][]): Bench {
  const bench: Bench = { ...court, check }
  const lines = parts.flatMap((part): CheckLine[] => {
    const some = linesFor(bench, part, folders)
    if (some === null)
      throw new TerminalError('the story changes too many test files for one command', 'Split the story.')
    return some
  })
  return { ...bench, lines: async () => lines }
}
