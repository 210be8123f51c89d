import type { Finding, Verdict } from '../../../delivery/judging/finding.ts'
import { folderFor } from '../../../proof/related/packages.ts'
import { isTestFile } from '../../../proof/related/related-tests.ts'
import { runnableBy } from '../../../proof/related/single-files.ts'
import { steadyFailures } from '../../../proof/results/baseline.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { type BaseRuns, baseResult, type Comparison, compare, keysOf, runOnBase } from '../base-runs.ts'
import { figuresBeside, unexecutedFindings } from '../figures.ts'
import { environmentKeyOf, provenFor } from '../proof.ts'
import { chooseTests, linesFor } from '../related.ts'
import { type Bench, type Ran, runCheck } from '../run-check.ts'
import { withSingleFiles } from '../single-files.ts'
import { lookUp, verdictFrom } from '../verdict.ts'
import { noted, oldTestsFindings } from './findings.ts'
import { type FormerTree, formerTree } from './former-tree.ts'

/** Whether the new product holds for the old tests: whatever a change did to tests and settings does not count here. */
export async function guardVerdict(bench: Bench, bases: BaseRuns): Promise<Verdict> {
  const { repository, step } = bench
  const former = await formerTree(bench, await executesTests(bench))
  if (former === null) return verdictFrom([])
  const baseTree = await repository.treeOf(step.base)
  const as = `judged with ${former.taken.length} files as they were before`
  if (former.tree === baseTree) return verdictFrom([noted(bench, 'only tests and settings are changed', former.taken)])
  const environment = await environmentKeyOf(bench)
  if ((await provenFor(bench, { tree: former.tree, environmentKey: environment })) !== null)
    return verdictFrom([noted(bench, `${as}, which is proven`, former.taken)])
  const inside: Bench = { ...bench, step: { ...step, commit: former.commit, tree: former.tree } }
  const some = step.scope === 'story' ? await relatedOf(bench, inside, former) : inside
  if (typeof some === 'string') return verdictFrom([noted(bench, `left to the line: ${some}`, former.taken)])
  const comparison = { baseTree, environment, bases }
  const held = await holdsAsBefore(some, comparison)
  if (held.status === 'undecided') return { status: 'none', reason: held.reason }
  const found = await foundBy(bench, held, async (ran) => {
    if (some.lines !== undefined) return []
    const against = { keys: keysOf(comparison), bases }
    const unexecuted = await unexecutedFindings(inside, ran.result, against)
    return unexecuted.length > 0 ? unexecuted : (await figuresBeside(inside, ran.result, against)).findings
  })
  const how = held.status === 'no-base' ? `nothing to hold: on the base ${held.because}` : as
  return verdictFrom([...found, noted(bench, how, former.taken)])
}

/** Linters and compilers have no tests whose expectations could be changed: only what tells them how to work counts. */
async function executesTests(bench: Bench): Promise<boolean> {
  const { parser, name, run } = bench.check
  const words = `${name} ${run}`
  if (parser !== 'auto') return parser !== 'exit-code' || /\b(?:tests?|specs?)\b/i.test(words) || !readsOnly.test(words)
  const { known } = await lookUp(bench)
  return known === null || known.status !== 'passed' || known.proof === null || known.proof.counts !== null
}

/** By the names that such checks and their tools have: all else may execute tests, though it tells of none. */
const readsOnly =
  /\b(?:\w*lint\w*|format\w*|fmt|style|types?|typecheck|tsc|build|compile|vet|check|clippy|biome|prettier|ruff|black|flake8|mypy|pyright|audit|docs?)\b/i

type Executed = Extract<Held, { status: 'held' }>['ran']

async function foundBy(bench: Bench, held: Held, missing: (ran: Executed) => Promise<Finding[]>): Promise<Finding[]> {
  const { base, commit } = bench.step
  if (held.status === 'broken') return oldTestsFindings(bench, held.result, await bench.repository.diff(base, commit))
  if (held.status !== 'held') return []
  const source = `guard:${bench.check.name}`
  return (await missing(held.ran)).map((one) => ({ ...one, source }))
}

/** On a story only the old tests that have to do with it; why all of it is left to the line, where they are unknown. */
async function relatedOf(bench: Bench, inside: Bench, { taken }: FormerTree): Promise<Bench | string> {
  const { repository, step } = bench
  const check = await withSingleFiles(repository, bench.check, step.base)
  if (check === null) return 'the check has no command for single files'
  const there = new Set(await repository.listFiles(step.base))
  const old = taken.filter(({ path }) => there.has(path))
  if (old.length === 0) return 'it only adds tests and settings'
  const single = { ...inside, check }
  const { choice, folders } = await chooseTests(single)
  const runs = runnableBy(check.related)
  const isRun = (path: string, text: string | null): boolean =>
    isTestFile(path, text) && runs(path) && folderFor(path, folders) !== null
  const own: string[] = []
  for (const { path } of old) if (isRun(path, await repository.readFile(step.base, path))) own.push(path)
  const paths = new Set([...own, ...choice.tests.map(({ path }) => path).filter((path) => there.has(path))])
  if (paths.size === 0) return 'because' in choice ? choice.because : 'no test has to do with it'
  const lines = linesFor(
    single,
    [...paths].map((path) => ({ path })),
    folders,
  )
  return lines === null ? 'too many tests have to do with it' : { ...single, lines: async () => lines }
}

export type Held =
  | { status: 'held'; ran: Extract<Ran, { status: 'ran' }> }
  | { status: 'broken'; result: CheckResult }
  /** Nothing held on the base that could be broken. */
  | { status: 'no-base'; because: string }
  | { status: 'undecided'; reason: string }

/** Whether what held on the base holds on this commit: run again where a failure may be a flake. */
export async function holdsAsBefore(bench: Bench, comparison: Comparison): Promise<Held> {
  const results: CheckResult[] = []
  for (let rerun = 0; rerun <= bench.input.policy.limits.flakyReruns; rerun++) {
    const name = rerun === 0 ? '-guard' : `-guard-${rerun}`
    const ran = await runCheck(bench, { name, commit: bench.step.commit, overlay: [] })
    if (ran.status === 'not-set-up') return await notSetUp(bench, comparison, ran)
    const { result, base } = await compare(bench, comparison, ran.result)
    if (result.status === 'pass') return { status: 'held', ran }
    const red = base ?? (result.status === 'timeout' ? await onBase(bench, comparison) : null)
    if (red !== null && heldNothing(red)) return { status: 'no-base', because: red.message }
    results.push(result)
    // The tests are as they were before: whatever was changed, one that fails only now and then is nobody's fault.
    if (result.status !== 'test-failure') break
  }
  return steady(results)
}

/** No test passed there, as with the test script that npm writes for those who have none. */
const heldNothing = ({ status, counts }: CheckResult): boolean =>
  status !== 'pass' && (status !== 'test-failure' || counts === null || counts.passed === 0)

async function onBase(bench: Bench, comparison: Comparison): Promise<CheckResult | null> {
  const ran = await runOnBase(bench, keysOf(comparison), comparison.bases)
  return ran?.status === 'ran' ? ran.result : null
}

function steady(results: CheckResult[]): Held {
  const first = results[0]!
  if (results.length < 2 || results.some(({ status, failures }) => status !== 'test-failure' || failures.length === 0))
    return { status: 'broken', result: first }
  const { steady: failures, flaky } = steadyFailures(results)
  if (failures.length > 0) return { status: 'broken', result: { ...first, failures } }
  const names = flaky.map(({ test }) => test).slice(0, 20)
  return { status: 'undecided', reason: `${results.length} runs failed, each in other tests: ${names.join(', ')}` }
}

async function notSetUp(
  bench: Bench,
  comparison: Comparison,
  { problem, output }: Extract<Ran, { status: 'not-set-up' }>,
): Promise<Held> {
  const base = await baseResult(bench, keysOf(comparison), comparison.bases)
  if (base.status === 'not-set-up') return { status: 'no-base', because: base.problem }
  const nothing = { counts: null, failures: [], hollow: [], passed: null }
  const result: CheckResult = { status: 'crash', runner: 'exit-code', ...nothing, message: problem, tail: output }
  return { status: 'broken', result }
}
