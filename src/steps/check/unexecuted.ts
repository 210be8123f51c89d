import type { Finding } from '../../delivery/judging/finding.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { namedTests } from '../../proof/witness/named-tests.ts'
import { hashOf } from '../../std/hash.ts'
import { type BaseRuns, baseResult, type Keys } from './base-runs.ts'
import type { Bench } from './run-check.ts'

/** Tests that are still there and are not executed any more: the product, or the file itself, keeps them from it. */
export async function unexecutedFindings(
  bench: Bench,
  result: CheckResult,
  against: { keys: Keys; bases: BaseRuns },
): Promise<Finding[]> {
  const suspects = [...(await emptyFiles(bench, result)), ...(await missingTests(bench, result))]
  if (suspects.length === 0) return []
  const base = await baseResult(bench, against.keys, against.bases)
  if (base.status !== 'ran') return []
  return suspects.filter((suspect) => ranIn(suspect, base.result)).map((suspect) => finding(bench.check.name, suspect))
}

interface Suspect {
  file: string
  /** Null: all of the file. */
  test: string | null
}

const ranIn = ({ file, test }: Suspect, { hollow, passed }: CheckResult): boolean =>
  test === null ? !hollow.includes(file) : passed?.includes(test) === true

/** Files that hold tests, as they did on the base, and reported none. */
async function emptyFiles({ repository, performance }: Bench, { hollow }: CheckResult): Promise<Suspect[]> {
  const { base, commit } = performance.step
  const hold = await Promise.all(
    hollow.map(async (file) => {
      const texts = await Promise.all([base, commit].map((one) => repository.readFile(one, file)))
      return texts.every((text) => text !== null && namedTests(file, text).length > 0)
    }),
  )
  return hollow.filter((_, index) => hold[index]).map((file) => ({ file, test: null }))
}

/** In files that the story has changed: tests that are on both sides, and did not pass. */
async function missingTests({ repository, performance }: Bench, { passed }: CheckResult): Promise<Suspect[]> {
  if (passed === null) return []
  const changes = await repository.diff(performance.step.base, performance.step.commit)
  return changes.flatMap(({ path, oldPath, before, after }) => {
    const had = new Set(testNames(oldPath ?? path, before))
    return testNames(path, after)
      .filter((test) => had.has(test) && !passed.includes(test))
      .map((test) => ({ file: path, test }))
  })
}

const testNames = (path: string, text: string | null): string[] =>
  text === null ? [] : namedTests(path, text).map(({ name }) => name)

function finding(check: string, { file, test }: Suspect): Finding {
  const source = `check:${check}`
  const what = test === null ? `the tests in ${file} were not executed to their end` : `"${test}" was not executed`
  return {
    source,
    rule: 'tests-not-executed',
    severity: 'blocking',
    file,
    line: null,
    message: `test: ${what}, and on the base it is`,
    evidence: 'It is still in its file. Look for what ends the process before, or keeps the test from being reached.',
    fingerprint: hashOf([source, 'tests-not-executed', file, test]),
    fixTarget: 'code',
  }
}
