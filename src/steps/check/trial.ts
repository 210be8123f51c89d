import type { Finding, TestCounts, Verdict } from '../../delivery/judging/finding.ts'
import { mayBeFlakes, steadyFailures } from '../../proof/results/baseline.ts'
import type { CheckResult, TestFailure } from '../../proof/results/check-result.ts'
import { findingsOf, isNotThereYet } from '../../proof/results/faults.ts'
import { asFinding } from '../as-finding.ts'
import { type BaseRuns, type Compared, compare, keysOf, runOnBase } from './base-runs.ts'
import { failsAsBefore, faultOfRun, isGreenfield, setUpFails } from './environment.ts'
import { figuresBeside, unexecutedFindings } from './figures.ts'
import { type Bench, type Overlay, type Ran, runCheck } from './run-check.ts'

export interface Trial {
  name: string
  overlay: Overlay[]
  baseTree: string
  environment: string
  bases: BaseRuns
  /** Whether all of the check runs: then a test that is there and did not run is missing. */
  full: boolean
}

export interface Passed {
  status: 'passed'
  spool: string
  counts: TestCounts | null
  byExitCode: boolean
  durationMs: number
  concerns: string[]
  /** Failures were not charged: those that the base has too, or that are in quarantine. */
  relative: boolean
}

type Failed = Extract<Verdict, { status: 'findings' }>
type Undecided = Extract<Verdict, { status: 'none' }>

/** Runs a check, and again where a failure may be a flake; what the base fails too is not charged. */
export async function tryCheck(bench: Bench, trial: Trial): Promise<Passed | Failed | Undecided> {
  const { step, input } = bench
  const runs: Compared[] = []
  for (let rerun = 0; rerun <= input.policy.limits.flakyReruns; rerun++) {
    const name = rerun === 0 ? trial.name : `${trial.name}-${rerun}`
    const ran = await runCheck(bench, { name, commit: step.commit, overlay: trial.overlay })
    if (ran.status === 'not-set-up') return await notSetUp(bench, trial, ran)
    runs.push(await compare(bench, trial, ran.result))
    const fault = await faultOfRun(bench, ran, runs.at(-1)!.base)
    if (fault !== null) throw fault
    if (runs.at(-1)!.result.status === 'pass') return await passed(bench, trial, { ran, runs })
    if (!(await mayBeFlaky(bench, runs.at(-1)!.result))) break
  }
  // What is missing from a report says nothing beside one that is whole.
  const whole = runs.filter(({ result }) => result.cut !== true)
  const told = whole.length > 0 ? whole : runs
  return (await undecided(bench, told)) ?? (await failed(bench, told))
}

async function mayBeFlaky({ step, repository }: Bench, result: CheckResult): Promise<boolean> {
  if (result.cut === true) return true
  if (result.status !== 'test-failure') return false
  const { base, commit } = step
  return mayBeFlakes(result.failures, await repository.diff(base, commit))
}

async function passed(
  bench: Bench,
  trial: Trial,
  { ran, runs }: { ran: Extract<Ran, { status: 'ran' }>; runs: Compared[] },
): Promise<Passed | Failed> {
  const against = { keys: keysOf(trial), bases: trial.bases }
  const unexecuted = trial.full ? await unexecutedFindings(bench, ran.result, against) : []
  if (unexecuted.length > 0) return charged(unexecuted)
  const figures = trial.full ? await figuresBeside(bench, ran.result, against) : { findings: [], concerns: [] }
  if (figures.findings.length > 0) return charged(figures.findings)
  const { result, spool, durationMs } = ran
  // Which failures are set aside depends on what was changed since the base, too.
  const { known, aside } = runs.at(-1)!
  const relative = known.length > 0 || aside.length > 0
  return {
    status: 'passed',
    spool,
    counts: result.counts,
    byExitCode: result.runner === 'exit-code',
    durationMs,
    concerns: [...(await concernsOf(bench, runs)), ...figures.concerns],
    relative,
  }
}

/** Each run failed, and no test in each of them: that is no story's fault, and no proof either. */
async function undecided({ step, record, check }: Bench, runs: Compared[]): Promise<Undecided | null> {
  const results = runs.map(({ result }) => result)
  if (runs.length < 2 || results.some(({ status }) => status !== 'test-failure')) return null
  const { steady, flaky } = steadyFailures(results)
  if (steady.length > 0) return null
  const { story } = step
  for (const { test } of flaky) await record({ type: 'ConcernRaised', story, text: `flaky: ${test}` })
  const names = flaky.map(({ test }) => test)
  return {
    status: 'none',
    reason: `${runs.length} runs of ${check.name} failed, each in other tests: ${listOf(names)}`,
  }
}

/** Each is told once in a delivery, however many stories meet it. */
async function concernsOf(bench: Bench, runs: Compared[]): Promise<string[]> {
  const { standing } = bench
  const told = standing().concerns.filter((one) => one.startsWith(redBase))
  const known = runs.at(-1)!.broken.map(({ test }) => test)
  const isTold = known.every((test) => told.some((concern) => concern.includes(test)))
  const lack = runs.at(-1)!.base?.lack
  const why = lack === undefined ? '' : ` (${lack})`
  const red = isTold ? [] : [`${redBase}${listOf(known)}${await sinceWhen(bench)}${why}`]
  const quarantined = runs.flatMap(({ aside }) => aside.map(({ test }) => `in quarantine, and fails: ${test}`))
  const whole = runs.map(({ result }) => result).filter(({ status }) => status === 'pass' || status === 'test-failure')
  const flaky = steadyFailures(whole).flaky.map(({ test }) => `flaky: ${test}`)
  return [...new Set([...red, ...quarantined, ...flaky])]
}

const redBase = 'the base is red: '

/** What we have merged before may be the cause. */
const sinceWhen = async (bench: Bench): Promise<string> =>
  (await hasLanded(bench, bench.step.base))
    ? ' (ropewalk regress says since which commit, and whether it was one of ours)'
    : ''

const listOf = (names: string[]): string =>
  `${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`

/** Charged is what failed each time; what failed only sometimes is a flake, and is told. */
async function failed(bench: Bench, runs: Compared[]): Promise<Failed> {
  const [{ result: first, base }] = runs as [Compared, ...Compared[]]
  const { steady } = steadyFailures(runs.map(({ result }) => result))
  const result = steady.length > 0 ? withFailures(first, steady) : first
  if (base !== null && isSame(first, base) && !(await isToCome(bench, base))) throw failsAsBefore(bench, base)
  const findings = findingsOf(result, bench.check.name)
  const redBefore = base !== null && isRed(base)
  const told = redBefore ? findings.map((finding) => alsoOnBase(finding, base)) : findings
  const failures = Math.max(1, result.counts?.failed ?? findings.length)
  const concerns = await concernsOf(bench, runs)
  return { status: 'findings', findings: told, failures, proof: null, concerns }
}

/** Not where single tests failed, which are set aside one by one, nor where nothing was there yet to fail. */
const isRed = ({ status, counts }: CheckResult): boolean =>
  status !== 'pass' && status !== 'no-tests' && (counts === null || status !== 'test-failure')

const withFailures = (result: CheckResult, failures: TestFailure[]): CheckResult =>
  failures.length === result.failures.length || result.counts === null
    ? result
    : { ...result, failures, counts: { ...result.counts, failed: failures.length } }

/** It fails as it did before any change, and tells of no test: no coder of this story can be charged with it. */
const isSame = (result: CheckResult, base: CheckResult): boolean =>
  isUntold(result) && result.status === base.status && fingerprintsOf(result) === fingerprintsOf(base)

/** In a repository that is only begun, a story has to bring what the check needs. */
const isToCome = async (bench: Bench, base: CheckResult): Promise<boolean> =>
  (base.status === 'test-failure' || isNotThereYet(base)) && (await isGreenfield(bench))

const isUntold = ({ status, counts }: CheckResult): boolean =>
  status === 'build-error' || status === 'crash' || (status === 'test-failure' && counts === null)

const fingerprintsOf = (result: CheckResult): string =>
  JSON.stringify(findingsOf(result, '').map(({ fingerprint, message }) => [fingerprint, message]))

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
  if (base?.status === 'not-set-up') throw setUpFails(base, 'also on the base commit')
  const source = `check:${bench.check.name}`
  const message = `${ran.problem}; on the base commit it works`
  const key = [source, 'set-up-failed']
  return charged([asFinding({ source, rule: 'set-up-failed', message, evidence: ran.output, key })])
}

const mostLandings = 50

/** Whether one of the latest landings, of whichever delivery, is part of a commit. */
async function hasLanded({ world, repository }: Bench, commit: string): Promise<boolean> {
  const query = { delivery: null, story: null, types: ['Landed' as const], after: 0, limit: mostLandings }
  const landings = await world.log.query({ ...query, from: 'last' })
  for (const { event } of landings.reverse()) {
    if (event.type !== 'Landed') continue
    // A commit of another repository is not here.
    const [found] = await Promise.allSettled([repository.isAncestor(event.to, commit)])
    if (found.status === 'fulfilled' && found.value) return true
  }
  return false
}
