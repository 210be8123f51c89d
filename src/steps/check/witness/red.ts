import type { Finding, Verdict } from '../../../delivery/judging/finding.ts'
import type { Change } from '../../../proof/files/change.ts'
import { redFindings } from '../../../proof/witness/judge-red.ts'
import { finding, type Witness } from '../../../proof/witness/judge-witness.ts'
import { type Subject, subjectOf, touchedTests } from '../../../proof/witness/subject.ts'
import { parseJson } from '../../../std/json.ts'
import { invariant } from '../../../std/never.ts'
import type { Court } from '../run-check.ts'
import { verdictFrom } from '../verdict.ts'
import { groupsOf, notInGroups, runEach } from './groups.ts'
import { witnessOf } from './witness.ts'

/** Whether the tests on this commit, which has nothing else yet, fail as tests do that come before their code. */
export async function redVerdict(court: Court): Promise<Verdict> {
  const { repository, step, input } = court
  const { story } = input
  invariant(story !== null, 'only a story has tests of its own')
  const changes = await repository.diff(step.base, step.commit)
  // Nothing to change is nothing to test.
  if (changes.length === 0 && story.spec.mayBeEmpty) return verdictFrom([])
  const subject = subjectOf(changes)
  if (touchedTests(subject).length === 0) return verdictFrom([noTest(subject)])
  const groups = await groupsOf(court, subject, input.policy.checks)
  const left = notInGroups(subject, groups)
  // Acceptance tests are the word on the whole: each of them will have to be run.
  if (groups.length === 0 || (left.length > 0 && story.kind === 'acceptance')) return verdictFrom([notRunnable(left)])
  const witnesses: Witness[] = []
  for (const group of groups) {
    const results = await runEach(court, group, '-red')
    witnesses.push(...results.map((result, index) => witnessOf(group.parts[index]!, subject, result)))
  }
  return verdictFrom(redFindings(witnesses, await declaredPackages(court)))
}

const noTest = ({ inline }: Subject): Finding =>
  blocking(
    'no-test-written',
    inline
      ? 'the tests stand among the code; write them into files of their own, so that they can be run before it'
      : 'no test is written or changed, and this round is there for that',
  )

const notRunnable = (left: Change[]): Finding =>
  blocking(
    'red-not-runnable',
    `no check has a command that can run ${left
      .map(({ path }) => path)
      .slice(0, 5)
      .join(', ')} alone; write tests that the repository's runner can run`,
  )

const blocking = (rule: string, message: string): Finding =>
  finding({ source: 'red', rule, file: null, message, evidence: '' })

/** What is declared and missing was not installed: that is no missing code. */
async function declaredPackages({ repository, step }: Court): Promise<string[]> {
  const manifest = parseJson((await repository.readFile(step.commit, 'package.json')) ?? '')
  const parts = Object.entries(Object(manifest)).filter(([key]) => /[dD]ependencies$/.test(key))
  return parts.flatMap(([, packages]) => Object.keys(Object(packages)))
}
