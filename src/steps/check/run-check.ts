import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, lstat, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CommitId } from '../../delivery/ids.ts'
import type { Judging } from '../../delivery/inputs/judging.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Ancestry, Commits } from '../../ports/repository/commits.ts'
import type { Composer } from '../../ports/repository/composing.ts'
import type { Elsewhere } from '../../ports/shell.ts'
import { packageFoldersOf } from '../../proof/related/packages.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { lackOf } from '../../proof/results/faults.ts'
import { judgeOutput } from '../../proof/results/judge-output.ts'
import { addUp, type PackageResult } from '../../proof/results/report.ts'
import { hashOf } from '../../std/hash.ts'
import { inCleanPlace } from '../place/clean.ts'
import { isConfined, runPinned, seenFrom } from '../place/run-line.ts'
import { setUp } from '../place/setup.ts'
import type { Copies, Running, StepWork } from '../work.ts'
import { openCheckOutput, openReports } from './output.ts'

/** What every judge that runs commands needs. */
export type Court = StepWork<Judged, Copies & Ancestry & Pick<Composer, 'variant'>, Judging>

/** The commits that a judge is asked about. */
export type Judged = Pick<Judge, 'id' | 'story' | 'scope' | 'base' | 'commit' | 'tree'>

/** How one check is run. */
interface How {
  check: CheckPolicy
  /** What of it is run on a commit; without: all of it. */
  lines?: (commit: CommitId) => Promise<CheckLine[]>
  /** How long all of that may take together; what has no time left is not run. Without: each has the check's own time. */
  withinMs?: number
}

/** What every run of one check needs. */
export type CheckRun = Running & How
export type Bench = Court & How

export interface RunRequest {
  /** Tells the runs of one step apart. */
  name: string
  commit: CommitId
  overlay: Overlay[]
}

export type Ran =
  /** `each`: the results of its lines, one by one. */
  | { status: 'ran'; result: CheckResult; each: CheckResult[]; spool: string; durationMs: number }
  | { status: 'not-set-up'; problem: string; output: string; spool?: string }

/** One run of the pinned commands on an exact commit, in a place that nobody else can write to. */
export async function runCheck(bench: CheckRun, request: RunRequest): Promise<Ran> {
  return await inCleanPlace(bench, { ...request, dressed: true }, (place) =>
    withCompiled(bench, request, (also) => runIn(place, bench, { ...request, also })),
  )
}

export const checkLines = async ({ lines, repository, check }: CheckRun, commit: CommitId): Promise<CheckLine[]> =>
  lines === undefined ? await allLines(repository, check, commit) : await lines(commit)

async function runIn(place: string, bench: CheckRun, { name, commit, overlay, also }: Within): Promise<Ran> {
  for (const file of overlay) await overwrite(place, file)
  const ready = await setUp(bench, place)
  if (!ready.ok) {
    const { ok: _, ...unready } = ready
    return { status: 'not-set-up', ...unready }
  }
  const runs: LineRan[] = []
  for (const [index, line] of (await checkLines(bench, commit)).entries()) {
    const leftMs = (bench.withinMs ?? Number.POSITIVE_INFINITY) - sum(runs)
    if (leftMs <= 0) break
    const check = { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs) }
    const own = `${bench.step.id}${name}-${bench.try}-${index}`
    runs.push(await runOne(place, { ...bench, check }, { line, name: own, also }))
  }
  const result = runs.length === 0 ? nothingToRun(bench.check) : addUp(runs)
  const each = runs.map((run) => run.result)
  return { status: 'ran', result, each, spool: await joined(bench, runs, name), durationMs: sum(runs) }
}

const mostEntries = 200_000

type Within = RunRequest & { also: Elsewhere[] }

interface LineRan extends PackageResult {
  spool: string
  durationMs: number
}

async function runOne(
  place: string,
  bench: CheckRun,
  { line, name, also }: { line: CheckLine; name: string; also: Elsewhere[] },
): Promise<LineRan> {
  const { world, input, check, lines } = bench
  const { timeoutMs, parser, report: glob, needs } = check
  const { folder, run } = line
  const cwd = join(place, folder)
  const output = openCheckOutput()
  const reports = await openReports({
    folder: world.places.result(input.delivery, `${name}.reports`),
    place: cwd,
    glob,
    mostEntries,
  })
  const seen = await seenFrom(bench, { place, lived: false })
  const asksForReport = /ROPEWALK_REPORT/.test(run)
  const given = asksForReport ? reports.given(seen !== place) : { env: {}, also: [] }
  const site = { place, needs, also: [...given.also, ...also] }
  const how = { run, cwd, site, timeoutMs, spool: `${name}.out`, onLine: output.add, env: given.env }
  const exit = await runPinned(bench, how)
  const shown = {
    parser,
    name: check.name,
    stdout: world.redact(output.text()),
    stderr: world.redact(exit.stderrTail),
    exit,
    truncated: output.truncated(),
    root: join(seen, folder),
    command: run,
    // A command for single files need not leave what the whole check promises.
    report: lines === undefined ? glob : null,
    reports: await reports.read(world.redact),
  }
  const result = await withLack(bench, { result: judgeOutput(shown), place: seen })
  return { folder, result, spool: exit.spool, durationMs: exit.durationMs }
}

/** A command that fails because it is confined does not know why: we do. */
async function withLack(
  bench: CheckRun,
  { result, place }: { result: CheckResult; place: string },
): Promise<CheckResult> {
  if (result.status === 'pass' || !(await isConfined(bench))) return result
  const { world, input, check } = bench
  const { egress } = input.policy
  const said = [result.tail, ...result.failures.map(({ error, stack }) => `${error}\n${stack}`)].join('\n')
  const confined = { check: check.name, needs: check.needs, egress, home: world.tools.home, place }
  const lack = lackOf(said, confined)
  return lack === null ? result : { ...result, lack }
}

const sum = (runs: LineRan[]): number => runs.reduce((total, { durationMs }) => total + durationMs, 0)

/** The outputs of all folders in one file. */
async function joined(bench: CheckRun, runs: LineRan[], name: string): Promise<string> {
  if (runs.length === 1) return runs[0]!.spool
  const path = bench.world.places.spool(bench.input.delivery, `${bench.step.id}${name}-${bench.try}.out`)
  await writeFile(path, '', { mode: 0o600 })
  for (const { folder, spool } of runs) {
    await appendFile(path, `== ${folder} ==\n`)
    await pipeline(createReadStream(spool), createWriteStream(path, { flags: 'a' }))
    await rm(spool, { force: true })
  }
  return path
}

const nothingToRun = ({ packages }: CheckPolicy): CheckResult => ({
  status: 'no-tests',
  runner: 'exit-code',
  counts: null,
  failures: [],
  hollow: [],
  passed: null,
  message:
    packages.length === 0
      ? 'there is nothing that it could run'
      : `there is no folder called ${packages.join(' or ')} that it could run in`,
  tail: '',
})

/** A file to write over the one in a place. */
export interface Overlay {
  path: string
  text: string | Uint8Array
}

/** Never through a link: what a story has put in the way is removed, so that nothing outside the place is written. */
export async function overwrite(place: string, { path, text }: Overlay): Promise<void> {
  const folders = path.split('/').slice(0, -1)
  for (const [index] of folders.entries()) {
    const folder = join(place, ...folders.slice(0, index + 1))
    const found = await lstat(folder).catch(() => null)
    if (found?.isDirectory()) continue
    await rm(folder, { force: true })
    await mkdir(folder)
  }
  const file = join(place, path)
  await rm(file, { recursive: true, force: true })
  await writeFile(file, text, { mode: 0o755, flag: 'wx' })
}

/** One command of a check, and the folder it runs in; empty: the root. */
export interface CheckLine {
  folder: string
  run: string
}

/** All of a check on a commit: at the root, or in each of its packages. */
export async function allLines(repository: Commits, check: CheckPolicy, commit: CommitId): Promise<CheckLine[]> {
  const folders = await checkFolders(repository, check, commit)
  return folders.map((folder) => ({ folder, run: check.run }))
}

export async function checkFolders(repository: Commits, check: CheckPolicy, commit: CommitId): Promise<string[]> {
  if (check.packages.length === 0) return ['']
  return packageFoldersOf(check.packages, await repository.listFiles(commit))
}

/** The check's commands as one would type them at the root, for those who want to know what they execute. */
export async function typedAtRoot(repository: Commits, check: CheckPolicy, commit: CommitId): Promise<string[]> {
  const folders = await checkFolders(repository, check, commit)
  const commands = [check.run, check.fix, check.related].filter((one) => one !== null)
  return folders.flatMap((folder) => commands.map((run) => (folder === '' ? run : `cd ${folder} && ${run}`)))
}

// What compilers remember between runs. What an agent wrote could leave something there for a later judge; so only the
// base, before any work of this delivery, fills it, and each other run has a copy of its own.
/** Runs what is given with it. */
export async function withCompiled<T>(
  work: CheckRun,
  { name, commit, overlay }: { name: string; commit: CommitId; overlay: Overlay[] },
  use: (also: Elsewhere[]) => Promise<T>,
): Promise<T> {
  const { world, input, step, check, lines, try: number } = work
  const { compiled } = world.tools
  const { delivery, request, policy } = input
  if (compiled === null || check.needs.includes('home') || !(await isConfined(work))) return await use([])
  const { base } = request
  const folder = join(world.places.cleanFolder(delivery), `compiled-${hashOf([check.name, policy.setup])}`)
  const kept = join(folder, base)
  const own = world.places.clean(delivery, `compiled-${step.id}-${number}${name}`)
  const isThere = await compiled.copy(kept, own)
  const fills = !isThere && commit === base && overlay.length === 0 && lines === undefined
  if (!isThere && !fills) return await use([])
  try {
    if (fills) await mkdir(own, { recursive: true, mode: 0o700 })
    const used = await use([{ from: own, at: compiled.at, write: true }])
    if (fills) await onlyOf(folder, base)
    if (fills) await compiled.keep(own, kept)
    return used
  } finally {
    await rm(own, { recursive: true, force: true }).catch(() => {})
  }
}

/** A rehearsal has many bases, one after the other. */
async function onlyOf(folder: string, base: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const others = (await readdir(folder)).filter((name) => name !== base)
  await Promise.all(others.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}
