import type { ReproduceFindings } from '../../delivery/review/steps.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { judgeReproduction } from '../../proof/review/judge-reproduction.ts'
import { type Bench, runCheck } from '../check/run-check.ts'

/** A test file that was written for a finding. */
export interface WrittenTest {
  file: string
  text: string
  test: string
  shows: string
  /** How the code would be if the finding were true. */
  ifTrue: { file: string; is: string; wouldBe: string } | null
}

/** Runs a test that passes on the code as it would be if the finding were true. Why it refutes nothing; null: it fails there, as predicted. */
export async function whyRefutesNothing(
  bench: Bench,
  { commit }: ReproduceFindings,
  { written, leftMs }: { written: WrittenTest; leftMs: () => number },
): Promise<string | null> {
  const { ifTrue, file, text } = written
  if (ifTrue === null) return 'nobody said how the code would be if the finding were true: it refutes nothing'
  const code = await bench.repository.readFile(commit, ifTrue.file)
  const parts = code?.split(ifTrue.is) ?? []
  if (parts.length !== 2 || isTestFile(ifTrue.file, code))
    return `${ifTrue.file} does not have once, in code, what it is said to have: it refutes nothing`
  if (leftMs() <= 0) return 'the time for trying findings is over'
  const check = { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs()) }
  const overlay = [
    { path: ifTrue.file, text: parts.join(ifTrue.wouldBe) },
    { path: file, text },
  ]
  const ran = await runCheck({ ...bench, check }, { name: '-if-true', commit, overlay })
  if (ran.status !== 'ran') return ran.problem
  const { result, why } = judgeReproduction(ran.result, written)
  return result === 'confirmed' ? null : `where the finding is true, ${why}: it refutes nothing`
}
