import type { Finding, TestCounts, Verdict } from '../../delivery/judging/finding.ts'
import { policyOf } from '../../delivery/state.ts'
import { TerminalError } from '../../ports/errors.ts'
import { brokenInBoth, subtractBaseline, unrelatedToChange } from '../../proof/results/baseline.ts'
import type { CheckResult, TestFailure } from '../../proof/results/check-result.ts'
import { findingsOf } from '../../proof/results/findings.ts'
import { hashOf } from '../../std/hash.ts'
import { type BaseRuns, baseResult, type Keys, runOnBase } from './base-runs.ts'
import type { Overlay } from './overlay.ts'
import { type Bench, type Ran, runCheck } from './run-check.ts'
import { unexecutedFindings } from './unexecuted.ts'

export interface Trial {
  name: string
  overlay: Overlay[]
  baseTree: string
  environment: string
  bases: BaseRuns
}

export interface Passed {
  status: 'passed'
  spool: string
  counts: TestCounts | null
  durationMs: number
  concerns: string[]
  /** Failures that the base has too were not charged. */
  relative: boolean
}

type Failed = Extract<Verdict, { status: 'findings' }>

/** Runs a check, and again where a failure may be a flake; what the base fails too is not charged. */
export async function tryCheck(bench: Bench, trial: Trial): Promise<Passed | Failed> {
  const { performance } = bench
  let first: { result: CheckResult; base: CheckResult | null } | null = null
  for (let rerun = 0; rerun <= policyOf(performance.state).limits.flakyReruns; rerun++) {
    const name = rerun === 0 ? trial.name : `${trial.name}-${rerun}`
    const ran = await runCheck(bench, { name, commit: performance.step.commit, overlay: trial.overlay })
    if (ran.status === 'not-set-up') return await notSetUp(bench, trial, ran)
    const compared = await compare(bench, trial, ran.result)
    if (compared.result.status === 'pass') {
      const unexecuted = await unexecutedFindings(bench, ran.result, { keys: keysOf(trial), bases: trial.bases })
      if (unexecuted.length > 0) return charged(unexecuted)
      return passed(ran, compared, first?.result.failures ?? [])
    }
    first ??= compared
    if (!(await mayBeFlaky(bench, compared.result))) break
  }
  return failed(bench, first!)
}

interface Compared {
  result: CheckResult
  known: TestFailure[]
  base: CheckResult | null
}

async function compare(bench: Bench, trial: Trial, result: CheckResult): Promise<Compared> {
  if (result.status === 'pass' || result.status === 'timeout') return { result, known: [], base: null }
  const base = await runOnBase(bench, keysOf(trial), trial.bases)
  if (base === null || base.status === 'not-set-up') return { result, known: [], base: null }
  const once = subtractBaseline(result, base.result)
  if (once.known.length === 0) return { ...once, base: base.result }
  // One red run of the base may have been a flake, and a flake excuses nothing.
  const again = await baseResult(bench, { ...keysOf(trial), run: 'again' }, trial.bases)
  if (again.status === 'not-set-up') return { result, known: [], base: base.result }
  return { ...subtractBaseline(result, brokenInBoth(base.result, again.result)), base: base.result }
}

const keysOf = ({ baseTree, environment }: Trial): Keys => ({ tree: baseTree, environment, run: 'first' })

async function mayBeFlaky({ performance, repository }: Bench, result: CheckResult): Promise<boolean> {
  if (result.status !== 'test-failure') return false
  const { base, commit } = performance.step
  const changed = (await repository.diff(base, commit)).flatMap(({ path, oldPath }) => [path, oldPath ?? path])
  return unrelatedToChange(result.failures, changed)
}

function passed(ran: Extract<Ran, { status: 'ran' }>, { known }: Compared, flaky: TestFailure[]): Passed {
  const red = known.length === 0 ? [] : [`the base is red: ${namesOf(known)}`]
  const flakes = flaky.map(({ test }) => `flaky: ${test}`)
  const { result, spool, durationMs } = ran
  const concerns = [...red, ...flakes]
  return { status: 'passed', spool, counts: result.counts, durationMs, concerns, relative: known.length > 0 }
}

function failed({ check }: Bench, { result, base }: { result: CheckResult; base: CheckResult | null }): Failed {
  const findings = findingsOf(result, check.name)
  const redBase = base !== null && base.status !== 'pass' && (base.counts === null || base.status !== 'test-failure')
  const told = redBase ? findings.map((finding) => alsoOnBase(finding, base)) : findings
  const failures = Math.max(1, result.counts?.failed ?? findings.length)
  return { status: 'findings', findings: told, failures, proof: null, concerns: [] }
}

const charged = (findings: Finding[]): Failed => ({
  status: 'findings',
  findings,
  failures: findings.length,
  proof: null,
  concerns: [],
})

const alsoOnBase = (finding: Finding, base: CheckResult): Finding => ({
  ...finding,
  message: `${finding.message} (this check also fails on the base commit, before any change${reason(finding, base)})`,
})

/** Not the same words twice. */
const reason = (finding: Finding, base: CheckResult): string =>
  finding.message.includes(base.message) ? '' : `: ${base.message}`

/** Broken by the story, or never right. */
async function notSetUp(bench: Bench, trial: Trial, ran: Extract<Ran, { status: 'not-set-up' }>): Promise<Failed> {
  const base = await runOnBase(bench, keysOf(trial), trial.bases)
  if (base?.status === 'not-set-up')
    throw new TerminalError(
      `${base.problem}, also on the base commit: ${base.output.slice(-600)}`,
      'Make "setup" in the settings work in a fresh checkout of the base, then try again.',
    )
  const source = `check:${bench.check.name}`
  const finding: Finding = {
    source,
    rule: 'set-up-failed',
    severity: 'blocking',
    file: null,
    line: null,
    message: `${ran.problem}; on the base commit it works`,
    evidence: ran.output,
    fingerprint: hashOf([source, 'set-up-failed']),
    fixTarget: 'code',
  }
  return charged([finding])
}

const namesOf = (failures: TestFailure[]): string => {
  const names = failures.slice(0, 5).map(({ test }) => test)
  return `${names.join(', ')}${failures.length > 5 ? ` and ${failures.length - 5} more` : ''}`
}
