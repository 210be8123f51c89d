import type { Finding } from '../../delivery/judging/finding.ts'
import type { ReproduceFindings } from '../../delivery/review/steps.ts'
import { breakagesIn } from '../../proof/breakage/breakages.ts'
import { judgeReproduction } from '../../proof/review/judge-reproduction.ts'
import { type Bench, runCheck } from '../check/run-check.ts'

const mostBreakages = 4
/** A finding names the line where it is seen, which need not be the one that is wrong. */
const around = 3

/** Whether a test that passes fails where the code at the finding's place is broken, or is as it was before the change. */
export async function noticesBreakage(
  bench: Bench,
  step: ReproduceFindings,
  {
    written,
    finding,
    leftMs,
  }: { written: { file: string; text: string; test: string }; finding: Finding; leftMs: () => number },
): Promise<boolean> {
  const { file } = finding
  if (file === null) return false
  for (const [index, text] of (await brokenVersions(bench, step, { ...finding, file })).entries()) {
    if (leftMs() <= 0) return false
    const check = { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs()) }
    const overlay = [
      { path: file, text },
      { path: written.file, text: written.text },
    ]
    const ran = await runCheck({ ...bench, check }, { name: `-broken-${index}`, commit: step.commit, overlay })
    // How it fails was said of the finding, not of this damage.
    const shown = ran.status === 'ran' ? judgeReproduction(ran.result, { test: written.test, shows: '' }) : null
    if (shown?.result === 'confirmed') return true
  }
  return false
}

async function brokenVersions(
  { world, repository }: Bench,
  { base, commit }: ReproduceFindings,
  { file, line }: { file: string; line: number | null },
): Promise<string[]> {
  const [text, before] = [await repository.readFile(commit, file), await repository.readFile(base, file)]
  if (text === null) return []
  const lines = line === null ? null : new Set(Array.from({ length: 2 * around + 1 }, (_, n) => line - around + n))
  const broken = breakagesIn(file, text, { lines, code: await world.code(), most: mostBreakages })
  return [...broken.map((one) => one.text), ...(before === null || before === text ? [] : [before])]
}
