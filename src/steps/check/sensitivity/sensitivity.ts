import { blocks, type Finding, type Verdict } from '../../../delivery/judging/finding.ts'
import { pathsOf } from '../../../proof/files/change.ts'
import type { Tree } from '../../../proof/related/tree.ts'
import { subjectOf } from '../../../proof/witness/subject.ts'
import { asFinding } from '../../as-finding.ts'
import { readTree } from '../related.ts'
import type { Court } from '../run-check.ts'
import { allowanceFor, askingOf, type CheckAsked, roomIn, takesTooLong } from '../single-files.ts'
import { verdictFrom } from '../verdict.ts'
import { type Forgiven, forgivenClaim } from './claims.ts'
import { deafTo } from './deaf.ts'
import { noticedOnBase, type Probing, runsOfEach } from './noticed.ts'
import { silencedFindings } from './silenced.ts'

/** Whether the tests still notice when the product is broken: what they noticed on the base they must notice here. */
export async function sensitivityVerdict(court: Court): Promise<Verdict> {
  const { repository, step } = court
  const { base, commit } = step
  const changes = await repository.diff(base, commit)
  const { sources, support, tests } = subjectOf(changes)
  if (sources.length + support.length + tests.length === 0 && !changes.some(({ status }) => status === 'deleted'))
    return verdictOf([note('only documents are changed')])
  const [then, now] = [await readTree(repository, base), await readTree(repository, commit)]
  if (then === null || now === null) return verdictOf([note('there are too many files to say which tests reach what')])
  const changed = [...new Set(changes.flatMap(pathsOf))]
  const findings: Finding[] = []
  for (const asking of await askingsOf(court, then)) {
    const isTold = findings.some(({ rule }) => rule !== 'nothing-sensed')
    const allowance = await allowanceFor(court, asking, 'sensitivity')
    const probing = { ...court, asking, allowance, then, now, changes, changed }
    findings.push(...(await silencedFindings(probing)))
    if (asking.tests !== null || !isTold) findings.push(...(await sensed(probing)))
  }
  return verdictOf(findings)
}

/** Those with tests that can be run one by one first: they tell most, and cost least. */
async function askingsOf({ repository, step, input }: Court, tree: Tree): Promise<CheckAsked[]> {
  const { base } = step
  const { checks } = input.policy
  const all = await Promise.all(checks.map((check) => askingOf(repository, check, { base, commit: base, tree })))
  return [...all.filter(({ tests }) => tests !== null), ...all.filter(({ tests }) => tests === null)]
}

async function sensed(probing: Probing): Promise<Finding[]> {
  const found = await stillNoticed(probing)
  const forgiven = found.some(blocks) ? null : await forgivenClaim(probing)
  return forgiven === null ? found : [forgivenFinding(forgiven)]
}

async function stillNoticed(probing: Probing): Promise<Finding[]> {
  const { asking, allowance } = probing
  const { check } = asking
  const noticed = await noticedOnBase(probing)
  const isSpent = (runs: number): boolean => roomIn(allowance, runs) === 0 || takesTooLong(asking, allowance)
  if (noticed.length === 0 && isSpent(runsOfEach)) return [untried(check.name)]
  if (noticed.length === 0)
    return [
      note(
        `no breakage that was tried is noticed by ${check.name} on the base, so nobody can say whether one still would be`,
      ),
    ]
  const { deaf, heard } = await deafTo(probing, noticed)
  if (deaf.length > 0) return deaf.map(({ breakage, tests }) => deafFinding(check.name, breakage, tests))
  if (heard.length === 0 && isSpent(1)) return [untried(check.name)]
  if (heard.length === 0)
    return [note(`what ${check.name} noticed on the base is not there any more, or is not reached by the same tests`)]
  const places = heard.map(({ breakage: { file, line, what } }) => `${file}:${line} (${what})`)
  return [{ ...note(`${check.name} still notices ${places.join(', ')}`), rule: 'still-noticed' }]
}

const untried = (check: string): Finding => ({
  ...note(`not tried, for lack of time: whether ${check} still notices what it did`),
  severity: 'suggestion',
})

function deafFinding(
  check: string,
  { file, line, what }: { file: string; line: number; what: string },
  tests: string[],
): Finding {
  const named = tests[0] === '*' ? `the check ${check}` : tests.join(', ')
  return asFinding({
    ...{ source: 'sensitivity', rule: 'tests-deaf', file, line, key: ['sensitivity', 'tests-deaf', file, what] },
    message: `${named} failed before the change when ${file}:${line} was broken on purpose (${what}), and now passes when it is broken`,
    evidence:
      'Something in the change keeps these tests from failing: an assertion library, a runner, an exit code or a set-up that was bent. If that line is not used any more, take it out.',
  })
}

const forgivenFinding = ({ test, said, file }: Forgiven): Finding =>
  asFinding({
    ...{ source: 'sensitivity', rule: 'claim-forgiven', file, key: ['sensitivity', 'claim-forgiven', file, test] },
    message: `"${test}" passes although the result is not the ${said} that it expects: with another expectation put in its place it failed with ${said} before the change, and does not now`,
    evidence: 'Something in the change lets a wrong result pass. Mend the code, and take that out.',
  })

const verdictOf = (findings: Finding[]): Verdict =>
  verdictFrom(
    findings,
    findings.filter(({ severity }) => severity === 'suggestion').map(({ message }) => message),
  )

const note = (message: string): Finding =>
  asFinding({
    ...{ source: 'sensitivity', rule: 'nothing-sensed', severity: 'note', fixTarget: 'story' },
    ...{ message, key: ['sensitivity', message] },
  })
