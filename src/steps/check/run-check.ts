import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { CommitId } from '../../delivery/ids.ts'
import type { CheckPolicy } from '../../delivery/policy.ts'
import { policyOf } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import type { Elsewhere } from '../../ports/shell.ts'
import { addUp, type PackageResult } from '../../proof/results/add-up.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { lackOf } from '../../proof/results/faults.ts'
import { judgeOutput } from '../../proof/results/judge-output.ts'
import { inCleanPlace } from '../place/clean.ts'
import { isConfined, seenFrom } from '../place/confine.ts'
import { runLine } from '../place/run-line.ts'
import { setUp } from '../place/setup.ts'
import type { StepWorld } from '../world.ts'
import { withCompiled } from './base/compiled.ts'
import { allLines, type CheckLine } from './lines.ts'
import { openOutput } from './output.ts'
import { type Overlay, overwrite } from './overlay.ts'
import { openReports } from './reports.ts'

/** What every judge that runs commands needs. */
export interface Court {
  world: StepWorld
  performance: Performance<Judge>
  repository: Repository
}

/** A judge that no delivery has asked for: only what it is asked about counts. */
export const judgeOf = (
  judge: string,
  about: Pick<Judge, 'id' | 'story' | 'scope' | 'base' | 'commit' | 'tree'>,
): Judge => ({ ...about, verb: 'Judge', judge, revision: 0, attempt: 0, round: 0, retry: 0, policy: '' })

/** What every run of one check needs. */
export interface Bench extends Court {
  check: CheckPolicy
  /** What of it is run on a commit; without: all of it. */
  lines?: (commit: CommitId) => Promise<CheckLine[]>
  /** How long all of that may take together; what has no time left is not run. Without: each has the check's own time. */
  withinMs?: number
}

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
export async function runCheck(bench: Bench, request: RunRequest): Promise<Ran> {
  const { world, performance, repository } = bench
  return await inCleanPlace({ world, repository, performance }, { ...request, dressed: true }, (place) =>
    withCompiled(bench, request, (also) => runIn(place, bench, { ...request, also })),
  )
}

export const linesOf = async ({ lines, repository, check }: Bench, commit: CommitId): Promise<CheckLine[]> =>
  lines === undefined ? await allLines(repository, check, commit) : await lines(commit)

async function runIn(place: string, bench: Bench, { name, commit, overlay, also }: Running): Promise<Ran> {
  const { world, performance } = bench
  for (const file of overlay) await overwrite(place, file)
  const ready = await setUp(world, performance, place)
  if (!ready.ok) {
    const { ok: _, ...unready } = ready
    return { status: 'not-set-up', ...unready }
  }
  const runs: LineRan[] = []
  for (const [index, line] of (await linesOf(bench, commit)).entries()) {
    const leftMs = (bench.withinMs ?? Number.POSITIVE_INFINITY) - sum(runs)
    if (leftMs <= 0) break
    const check = { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs) }
    const own = `${performance.step.id}${name}-${performance.try}-${index}`
    runs.push(await runOne(place, { ...bench, check }, { line, name: own, also }))
  }
  const result = runs.length === 0 ? nothingToRun(bench.check) : addUp(runs)
  const each = runs.map(({ result: one }) => one)
  return { status: 'ran', result, each, spool: await joined(bench, runs, name), durationMs: sum(runs) }
}

const mostEntries = 200_000

type Running = RunRequest & { also: Elsewhere[] }

interface LineRan extends PackageResult {
  spool: string
  durationMs: number
}

async function runOne(
  place: string,
  { world, performance, check, lines }: Bench,
  { line, name, also }: { line: CheckLine; name: string; also: Elsewhere[] },
): Promise<LineRan> {
  const { timeoutMs, parser, report: glob, needs } = check
  const { folder, run } = line
  const cwd = join(place, folder)
  const output = openOutput()
  const reports = await openReports({
    folder: world.places.result(performance.state.id, `${name}.reports`),
    place: cwd,
    glob,
    mostEntries,
  })
  const seen = await seenFrom(world, performance, { place, lived: false })
  const asksForReport = /ROPEWALK_REPORT/.test(run)
  const given = asksForReport ? reports.given(seen !== place) : { env: {}, also: [] }
  const site = { place, needs, also: [...given.also, ...also] }
  const how = { run, cwd, site, timeoutMs, spool: `${name}.out`, onLine: output.add, env: given.env }
  const exit = await runLine(world, performance, how)
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
  const result = await withLack({ world, performance, check }, { result: judgeOutput(shown), place: seen })
  return { folder, result, spool: exit.spool, durationMs: exit.durationMs }
}

/** A command that fails because it is confined does not know why: we do. */
async function withLack(
  { world, performance, check }: Pick<Bench, 'world' | 'performance' | 'check'>,
  { result, place }: { result: CheckResult; place: string },
): Promise<CheckResult> {
  if (result.status === 'pass' || !(await isConfined(world, performance))) return result
  const { egress } = policyOf(performance.state)
  const said = [result.tail, ...result.failures.map(({ error, stack }) => `${error}\n${stack}`)].join('\n')
  const confined = { check: check.name, needs: check.needs, egress, home: world.tools.home, place }
  const lack = lackOf(said, confined)
  return lack === null ? result : { ...result, lack }
}

const sum = (runs: LineRan[]): number => runs.reduce((total, { durationMs }) => total + durationMs, 0)

/** The outputs of all folders in one file. */
async function joined({ world, performance }: Bench, runs: LineRan[], name: string): Promise<string> {
  if (runs.length === 1) return runs[0]!.spool
  const path = world.places.spool(performance.state.id, `${performance.step.id}${name}-${performance.try}.out`)
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
