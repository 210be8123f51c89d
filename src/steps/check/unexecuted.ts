import type { Finding } from '../../delivery/judging/finding.ts'
import { readTests } from '../../proof/inspection/tests/cases.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { hashOf } from '../../std/hash.ts'
import { type BaseRuns, baseResult, type Keys } from './base-runs.ts'
import type { Bench } from './run-check.ts'

/** Test files that were run and tested nothing, though they do on the base: the product may have ended the process. */
export async function unexecutedFindings(
  bench: Bench,
  result: CheckResult,
  against: { keys: Keys; bases: BaseRuns },
): Promise<Finding[]> {
  const suspects = await stillHoldingTests(bench, result.hollow)
  if (suspects.length === 0) return []
  const base = await baseResult(bench, against.keys, against.bases)
  if (base.status !== 'ran') return []
  return suspects.filter((file) => !base.result.hollow.includes(file)).map((file) => finding(bench.check.name, file))
}

async function stillHoldingTests({ repository, performance }: Bench, files: string[]): Promise<string[]> {
  const { base, commit } = performance.step
  const hold = await Promise.all(
    files.map(async (file) => {
      const texts = await Promise.all([base, commit].map((one) => repository.readFile(one, file)))
      return texts.every((text) => text !== null && readTests(file, text).cases.length > 0)
    }),
  )
  return files.filter((_, index) => hold[index])
}

function finding(check: string, file: string): Finding {
  const source = `check:${check}`
  return {
    source,
    rule: 'tests-not-executed',
    severity: 'blocking',
    file,
    line: null,
    message: `test: the tests in ${file} were not executed to their end, and on the base they are`,
    evidence: 'The process of this file ended well before its tests had reported: look for what ends it.',
    fingerprint: hashOf([source, 'tests-not-executed', file]),
    fixTarget: 'code',
  }
}
