// A run that passed may still have tested less than the base does, or have had its report written by somebody else.
import type { Finding, TestCounts } from '../../delivery/judging/finding.ts'
import { type Change, isFixture } from '../../proof/files/change.ts'
import { isData, isInTestFolder, isTest } from '../../proof/files/test-file.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { namedTests } from '../../proof/witness/named-tests.ts'
import { coversAny } from '../../std/glob.ts'
import { asFinding } from '../as-finding.ts'
import { type BaseRuns, baseOnRecord, baseResult, type Keys } from './base-runs.ts'
import { provenFor } from './proof.ts'
import type { Bench } from './run-check.ts'

interface Against {
  keys: Keys
  bases: BaseRuns
}

interface Told {
  findings: Finding[]
  concerns: string[]
}

/** What the figures of a run that passed say beside those of the base. */
export async function figuresBeside(bench: Bench, result: CheckResult, against: Against): Promise<Told> {
  const told = await Promise.all([
    disagreement(bench, result, against),
    shortfall(bench, result, against),
    greenfield(bench, result),
  ])
  return { findings: told.flatMap(({ findings }) => findings), concerns: told.flatMap(({ concerns }) => concerns) }
}

const nothing: Told = { findings: [], concerns: [] }

/** Where there was no test, whoever brings the first says what is proven: told once in a delivery. */
async function greenfield({ step, standing, repository, check }: Bench, { runner }: CheckResult): Promise<Told> {
  if (!byName.test(runner) || step.scope !== 'story') return nothing
  if (standing().concerns.some((one) => one.startsWith(green))) return nothing
  const files = await repository.listFiles(step.base)
  if (files.some(isTest)) return nothing
  const words = `the base has no test; what ${check.name} proves is what ${step.story ?? 'this delivery'} has it test`
  return { findings: [], concerns: [`${green}${words}`] }
}

/** These find their tests by the names of the files, so that it can be told where there is none. */
const byName = /^(?:node:test|vitest|jest|pytest|go)$/

const green = 'greenfield: '

/** Whoever runs in the check can write its report. What it prints and what it leaves agree, unless they never did. */
async function disagreement(bench: Bench, result: CheckResult, { keys, bases }: Against): Promise<Told> {
  if (agree(result)) return nothing
  const base = await baseResult(bench, keys, bases)
  const words = `${bench.check.name} printed ${figures(result.printed!)}, and left a report of ${figures(result.counts!)}`
  const usual = base.status === 'ran' && base.result.printed !== undefined && agree(base.result)
  if (!usual) return { findings: [], concerns: [words] }
  const mend = 'on the base both say the same; let only the test runner write the report'
  return { findings: [finding(bench.check.name, 'report-disagrees', `test: ${words}: ${mend}`)], concerns: [] }
}

/** Not how many were skipped: formats differ in what they call so. */
const agree = ({ printed, counts }: CheckResult): boolean =>
  printed === undefined || counts === null || (printed.passed === counts.passed && printed.failed === counts.failed)

const figures = ({ passed, failed }: TestCounts): string => `${passed} passed and ${failed} failed tests`

/** Fewer tests were executed than on the base, and the story takes none away. */
async function shortfall(bench: Bench, { counts, tail }: CheckResult, against: Against): Promise<Told> {
  const before = await countsOnBase(bench, against)
  if (before === null) return nothing
  if (counts === null) return await silence(bench, before)
  const { base, commit } = bench.step
  const changes = await bench.repository.diff(base, commit)
  const [had, has] = [executed(before), executed(counts)]
  const growth = growthOf(changes, () => true)
  const words = `${bench.check.name} executed ${has} tests, and ${had} on the base`
  if (has >= had + Math.min(0, growth)) {
    const fresh = growthOf(changes, ({ path }) => tail.includes(path))
    const total = counts.total - before.total
    return fresh > 0 && total < Math.min(fresh, growth)
      ? { findings: [], concerns: [`${words}, though tests were added: some of them, or others, did not run`] }
      : nothing
  }
  if (await isDeclared(bench)) return nothing
  if (changes.some(isInput) || guardTells(bench, changes)) return { findings: [], concerns: [words] }
  const mend = 'let all of them run, or have the story declare the tests under mayChange when their feature is removed'
  return { findings: [finding(bench.check.name, 'tests-not-executed', `test: ${words}; ${mend}`)], concerns: [] }
}

/** Rows of a table may be gone from a test file: whether the product keeps any from running is seen with those of before. */
const guardTells = ({ input, check }: Bench, changes: readonly Change[]): boolean =>
  input.policy.judges.includes(`guard:${check.name}`) &&
  changes.some(({ path, before, after }) => before !== null && after !== null && isTestFile(path, after))

/** By its exit code it passed, and it tells of no test that passed any more. */
async function silence(bench: Bench, before: TestCounts): Promise<Told> {
  if (executed(before) === 0 || (await isDeclared(bench))) return nothing
  const words = `test: ${bench.check.name} tells of no test, and of ${executed(before)} on the base`
  const mend = 'look for what ends it before its report'
  return { findings: [finding(bench.check.name, 'tests-not-executed', `${words}; ${mend}`)], concerns: [] }
}

const executed = ({ passed, failed }: TestCounts): number => passed + failed

/** The base is on record before anything is judged beside it: proven, or run once. */
async function countsOnBase(bench: Bench, { keys, bases }: Against): Promise<TestCounts | null> {
  const proof = await provenFor(bench, { tree: keys.tree, environmentKey: keys.environment })
  if (proof !== null) return proof.counts
  const base = await baseOnRecord(bench, keys, bases)
  return base.status === 'ran' && isWhole(base.result) ? base.result.counts : null
}

const isWhole = ({ status }: CheckResult): boolean => status === 'pass' || status === 'test-failure'

/** How many tests more the files hold, as they are written; a table counts once. */
function growthOf(changes: readonly Change[], isMeant: (change: Change) => boolean): number {
  const count = (path: string, text: string | null): number =>
    text !== null && isTestFile(path, text) ? namedTests(path, text).length : 0
  return changes
    .filter(isMeant)
    .reduce((sum, one) => sum + count(one.path, one.after) - count(one.oldPath ?? one.path, one.before), 0)
}

/** The stories in question were approved to change tests. */
async function isDeclared({ step, input, repository }: Bench): Promise<boolean> {
  if (input.mayChange.length === 0) return false
  const files = await repository.listFiles(step.base)
  return files.some((path) => isTest(path) && coversAny(input.mayChange, path))
}

/** Tests may be made from files. */
const isInput = ({ path, status }: Change): boolean =>
  status !== 'added' && (isFixture(path) || (isInTestFolder(path) && isData(path)))

const finding = (check: string, rule: string, message: string): Finding =>
  asFinding({ source: `check:${check}`, rule, message, key: [`check:${check}`, rule] })

/** Tests that are still there and are not executed any more: the product, or the file itself, keeps them from it. */
export async function unexecutedFindings(bench: Bench, result: CheckResult, against: Against): Promise<Finding[]> {
  const suspects = [...(await emptyFiles(bench, result)), ...(await missingTests(bench, result))]
  if (suspects.length === 0) return []
  const base = await baseResult(bench, against.keys, against.bases)
  if (base.status !== 'ran') return []
  return suspects
    .filter((suspect) => ranIn(suspect, base.result))
    .map((suspect) => unexecuted(bench.check.name, suspect))
}

interface Suspect {
  file: string
  /** Null: all of the file. */
  test: string | null
}

const ranIn = ({ file, test }: Suspect, { hollow, passed }: CheckResult): boolean =>
  test === null ? !hollow.includes(file) : passed?.includes(test) === true

/** Files that hold tests, as they did on the base, and reported none. */
async function emptyFiles({ repository, step }: Bench, { hollow }: CheckResult): Promise<Suspect[]> {
  const { base, commit } = step
  const hold = await Promise.all(
    hollow.map(async (file) => {
      const texts = await Promise.all([base, commit].map((one) => repository.readFile(one, file)))
      return texts.every((text) => text !== null && namedTests(file, text).length > 0)
    }),
  )
  return hollow.filter((_, index) => hold[index]).map((file) => ({ file, test: null }))
}

/** In files that the story has changed: tests that are on both sides, and did not pass. */
async function missingTests({ repository, step }: Bench, { passed }: CheckResult): Promise<Suspect[]> {
  if (passed === null) return []
  const changes = await repository.diff(step.base, step.commit)
  return changes.flatMap(({ path, oldPath, before, after }) => {
    const had = new Set(testNames(oldPath ?? path, before))
    return testNames(path, after)
      .filter((test) => had.has(test) && !passed.includes(test))
      .map((test) => ({ file: path, test }))
  })
}

const testNames = (path: string, text: string | null): string[] =>
  text === null ? [] : namedTests(path, text).map(({ name }) => name)

function unexecuted(check: string, { file, test }: Suspect): Finding {
  const source = `check:${check}`
  const what = test === null ? `the tests in ${file} were not executed to their end` : `"${test}" was not executed`
  const evidence =
    'It is still in its file. Look for what ends the process before, or keeps the test from being reached.'
  const rule = 'tests-not-executed'
  const message = `test: ${what}, and on the base it is`
  return asFinding({ source, rule, file, message, evidence, key: [source, rule, file, test] })
}
