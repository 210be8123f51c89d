import type { ReproduceFindings } from '../../delivery/step.ts'
import { folderFor } from '../../proof/related/packages.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { runnableBy } from '../../proof/related/single-files.ts'
import { judgeReproduction, type Shown } from '../../proof/review/judge-reproduction.ts'
import { linesFor } from '../check/related.ts'
import { type CheckRun, checkFolders, type Overlay, type Ran, runCheck } from '../check/run-check.ts'
import type { StepWork } from '../work.ts'

/** A test file that was written for a finding. */
export interface WrittenTest {
  file: string
  text: string
  test: string
  shows: string
  /** How the code would be if the finding were true. */
  ifTrue: { file: string; is: string; wouldBe: string } | null
}

interface Trying {
  written: WrittenTest
  name: string
  leftMs: () => number
}

const runs = 2

/** The word of a test on a commit, in a clean place: one that fails or passes only sometimes says nothing. */
export async function tryTest(work: StepWork<ReproduceFindings>, trying: Trying): Promise<Shown> {
  const { written, name, leftMs } = trying
  const bench = await benchFor(work, written.file)
  if (bench === null)
    return { result: 'inconclusive', why: `no check has a command that can run ${written.file} alone` }
  let first: Shown | null = null
  for (let run = 0; run < runs; run++) {
    if (leftMs() <= 0) return late
    const overlay = [{ path: written.file, text: written.text }]
    const ran = await runInTime(bench, trying, { name: `-${name}-${run}`, commit: work.step.commit, overlay })
    if (ran.status === 'not-set-up') return { result: 'inconclusive', why: ran.problem.slice(0, 1_000) }
    const shown = judgeReproduction(ran.result, written)
    if (shown.result === 'inconclusive' && first === null) return shown
    if (first !== null && shown.result !== first.result)
      return { result: 'inconclusive', why: `${first.why}, and then not so again: ${shown.why}`.slice(0, 1_000) }
    first = shown
  }
  if (first?.result !== 'refuted') return first ?? late
  const problem = await whyRefutesNothing(bench, work.step.commit, trying)
  return problem === null ? first : { result: 'inconclusive', why: `${first.why}, but ${problem}`.slice(0, 1_000) }
}

const tooLate = 'the time for trying findings is over'
const late: Shown = { result: 'inconclusive', why: tooLate }

const runInTime = (
  bench: CheckRun,
  { leftMs }: Trying,
  request: { name: string; commit: string; overlay: Overlay[] },
): Promise<Ran> =>
  runCheck({ ...bench, check: { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs()) } }, request)

/** The first check that can run the file alone. */
async function benchFor(work: StepWork<ReproduceFindings>, file: string): Promise<CheckRun | null> {
  for (const check of work.input.policy.checks) {
    if (check.related === null || !runnableBy(check.related)(file)) continue
    const folders = await checkFolders(work.repository, check, work.step.commit)
    if (folderFor(file, folders) === null) continue
    const lines = linesFor({ check }, [{ path: file }], folders)
    if (lines !== null) return { ...work, check, lines: async () => lines }
  }
  return null
}

/** Runs a test that passes on the code as it would be if the finding were true. Why it refutes nothing; null: it fails there, as predicted. */
async function whyRefutesNothing(bench: CheckRun, commit: string, trying: Trying): Promise<string | null> {
  const { ifTrue, file, text } = trying.written
  if (ifTrue === null) return 'nobody said how the code would be if the finding were true: it refutes nothing'
  const code = await bench.repository.readFile(commit, ifTrue.file)
  const parts = code?.split(ifTrue.is) ?? []
  if (parts.length !== 2 || isTestFile(ifTrue.file, code))
    return `${ifTrue.file} does not have once, in code, what it is said to have: it refutes nothing`
  if (trying.leftMs() <= 0) return tooLate
  const overlay = [
    { path: ifTrue.file, text: parts.join(ifTrue.wouldBe) },
    { path: file, text },
  ]
  const ran = await runInTime(bench, trying, { name: '-if-true', commit, overlay })
  if (ran.status !== 'ran') return ran.problem
  const { result, why } = judgeReproduction(ran.result, trying.written)
  return result === 'confirmed' ? null : `where the finding is true, ${why}: it refutes nothing`
}
