import type { Judging } from '../../delivery/inputs/judging.ts'
import type { Finding, Verdict } from '../../delivery/judging/finding.ts'
import type { Commits, FileChange } from '../../ports/repository/commits.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { findingsOf } from '../../proof/results/faults.ts'
import { finding } from '../../proof/witness/judge-witness.ts'
import { subjectOf } from '../../proof/witness/subject.ts'
import { hashOf } from '../../std/hash.ts'
import type { Court } from './run-check.ts'
import { verdictFrom } from './verdict.ts'
import { type Group, groupsOf, notInGroups, runEach } from './witness/groups.ts'

/** Whether the tests that were written for the whole requirement, exactly these, are executed and pass on the result. */
export async function acceptanceVerdict(court: Court): Promise<Verdict> {
  const subject = subjectOf(await acceptanceChanges(court.repository, court.input))
  const groups = await groupsOf(court, subject, court.input.policy.checks)
  if (groups.length === 0) return { status: 'none', reason: 'no check can run the acceptance tests any more' }
  const findings = notInGroups(subject, groups).map(({ path }) => notRun([path], ''))
  const flaky: string[] = []
  for (const group of groups) {
    const heard = await hear(court, group)
    findings.push(...heard.findings)
    flaky.push(...heard.flaky)
  }
  return verdictFrom(
    findings,
    flaky.map((test) => `flaky: ${test}`),
  )
}

interface Heard {
  findings: Finding[]
  flaky: string[]
}

/** Run again while it fails and may be a flake: what passes on the very tree does pass, and people are told. */
async function hear(court: Court, group: Group): Promise<Heard> {
  const { flakyReruns } = court.input.policy.limits
  const failed = new Set<string>()
  let findings: Finding[] = []
  for (let run = 0; run <= flakyReruns; run++) {
    const results = await runEach(court, group, `-acceptance-${run}`)
    findings = results.flatMap((result, index) => findingsIn(result, group, index))
    if (findings.length === 0) return { findings, flaky: [...failed] }
    if (results.some(({ status }) => status !== 'pass' && status !== 'test-failure')) break
    for (const { failures } of results) for (const { test } of failures) failed.add(test)
  }
  return { findings, flaky: [] }
}

function findingsIn(result: CheckResult, { check, parts }: Group, index: number): Finding[] {
  const files = parts[index]!.map(({ path }) => path)
  if (result.status !== 'pass') return findingsOf(result, check.name).map((one) => asAcceptance(one, files[0]!))
  if (result.hollow.length === 0 && (result.counts === null || result.counts.skipped === 0)) return []
  return [notRun(files, result.tail)]
}

function notRun(files: string[], evidence: string): Finding {
  const message = `test: not every test in ${files.join(', ')} was executed on the result of all stories`
  return finding({ source, rule: 'acceptance-not-executed', file: files[0]!, message, evidence })
}

const source = 'acceptance'

const asAcceptance = (one: Finding, file: string): Finding => ({
  ...one,
  source,
  file: one.file ?? file,
  fixTarget: 'code',
  fingerprint: hashOf([source, one.fingerprint]),
})

/** What the acceptance story has written, as far as it counts already; nothing when there is none. */
export const acceptanceChanges = async (
  repository: Commits,
  { acceptance }: Pick<Judging, 'acceptance'>,
): Promise<FileChange[]> => (acceptance === null ? [] : await repository.diff(acceptance.base, acceptance.commit))
