import { policyOf } from '../../../delivery/state.ts'
import { steadyFailures } from '../../../proof/results/baseline.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { baseResult, runOnBase } from '../base-runs.ts'
import { type Comparison, compare, keysOf } from '../compare.ts'
import { type Bench, type Ran, runCheck } from '../run-check.ts'

export type Held =
  | { status: 'held'; ran: Extract<Ran, { status: 'ran' }> }
  | { status: 'broken'; result: CheckResult }
  /** Nothing held on the base that could be broken. */
  | { status: 'no-base'; because: string }
  | { status: 'undecided'; reason: string }

/** Whether what held on the base holds on this commit: run again where a failure may be a flake. */
export async function holdsAsBefore(bench: Bench, comparison: Comparison): Promise<Held> {
  const { step, state } = bench.performance
  const results: CheckResult[] = []
  for (let rerun = 0; rerun <= policyOf(state).limits.flakyReruns; rerun++) {
    const name = rerun === 0 ? '-guard' : `-guard-${rerun}`
    const ran = await runCheck(bench, { name, commit: step.commit, overlay: [] })
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
