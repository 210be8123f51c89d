import type { ReproduceFindings } from '../../delivery/review/steps.ts'
import { policyOf } from '../../delivery/state.ts'
import type { Judge } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { Repository } from '../../ports/repository.ts'
import { folderFor } from '../../proof/related/packages.ts'
import { runnableBy } from '../../proof/related/single-files.ts'
import { judgeReproduction, type Shown } from '../../proof/review/judge-reproduction.ts'
import { linesFor } from '../check/related.ts'
import { type Bench, type Court, checkFolders, runCheck } from '../check/run-check.ts'
import type { StepWorld } from '../world.ts'
import { type WrittenTest, whyRefutesNothing } from './if-true.ts'

const runs = 2

/** The word of a test on a commit, in a clean place: one that fails or passes only sometimes says nothing. */
export async function tryTest(
  {
    world,
    performance,
    repository,
  }: { world: StepWorld; performance: Performance<ReproduceFindings>; repository: Repository },
  { written, name, leftMs }: { written: WrittenTest; name: string; leftMs: () => number },
): Promise<Shown> {
  const court: Court = { world, repository, performance: asJudging(performance) }
  const bench = await benchFor(court, written.file)
  if (bench === null)
    return { result: 'inconclusive', why: `no check has a command that can run ${written.file} alone` }
  let first: Shown | null = null
  for (let run = 0; run < runs; run++) {
    if (leftMs() <= 0) return late
    const check = { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs()) }
    const overlay = [{ path: written.file, text: written.text }]
    const request = { name: `-${name}-${run}`, commit: performance.step.commit, overlay }
    const ran = await runCheck({ ...bench, check }, request)
    if (ran.status === 'not-set-up') return { result: 'inconclusive', why: ran.problem.slice(0, 1_000) }
    const shown = judgeReproduction(ran.result, written)
    if (shown.result === 'inconclusive' && first === null) return shown
    if (first !== null && shown.result !== first.result)
      return { result: 'inconclusive', why: `${first.why}, and then not so again: ${shown.why}`.slice(0, 1_000) }
    first = shown
  }
  if (first?.result !== 'refuted') return first ?? late
  const problem = await whyRefutesNothing(bench, performance.step, { written, leftMs })
  return problem === null ? first : { result: 'inconclusive', why: `${first.why}, but ${problem}`.slice(0, 1_000) }
}

const late: Shown = { result: 'inconclusive', why: 'the time for trying findings is over' }

/** The first check that can run the file alone. */
async function benchFor(court: Court, file: string): Promise<Bench | null> {
  for (const check of policyOf(court.performance.state).checks) {
    if (check.related === null || !runnableBy(check.related)(file)) continue
    const folders = await checkFolders(court.repository, check, court.performance.step.commit)
    if (folderFor(file, folders) === null) continue
    const bench: Bench = { ...court, check }
    const lines = linesFor(bench, [{ path: file }], folders)
    if (lines !== null) return { ...bench, lines: async () => lines }
  }
  return null
}

/** Whoever runs checks asks for the step of a judge; nothing of it reaches the log. */
function asJudging(performance: Performance<ReproduceFindings>): Performance<Judge> {
  const { id, story, base, commit, tree, revision, attempt, round, retry } = performance.step
  const judge = { verb: 'Judge' as const, judge: 'reproduction', scope: 'story' as const, policy: '' }
  return { ...performance, step: { id, story, base, commit, tree, revision, attempt, round, retry, ...judge } }
}
