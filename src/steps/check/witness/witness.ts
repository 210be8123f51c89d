import { blocks, type Finding, type Verdict } from '../../../delivery/judging/finding.ts'
import { isProven } from '../../../delivery/judging/judging.ts'
import { policyOf, storyOf } from '../../../delivery/state.ts'
import type { StoryState } from '../../../delivery/story/story.ts'
import type { Change } from '../../../proof/inspection/change.ts'
import { changedTests } from '../../../proof/witness/cases.ts'
import { concernOf, emptyTestFindings, unnoticedFindings, withoutSilence } from '../../../proof/witness/judge-tries.ts'
import {
  characterisationFindings,
  endsTheRun,
  type Witness,
  witnessFindings,
} from '../../../proof/witness/judge-witness.ts'
import { type Subject, subjectOf } from '../../../proof/witness/subject.ts'
import { hashOf } from '../../../std/hash.ts'
import { invariant } from '../../../std/never.ts'
import { keptTests } from '../inspection/kept-tests.ts'
import type { Court } from '../run-check.ts'
import { groupsOf, touchedTests } from './groups.ts'
import { runBeside, runOnBase, runOnCommit } from './runs.ts'
import { triesOfChange, triesOfTests } from './tries.ts'

/** Whether the story's new and changed tests tell its change from what was before: they fail there, and pass here. */
export async function witnessVerdict(court: Court): Promise<Verdict> {
  const { state, step } = court.performance
  invariant(step.story !== null, 'only a story has tests of its own')
  const story = storyOf(state, step.story)
  const kind = story.spec.tests
  const subject = await subjectIn(court, story)
  const nothing = nothingToHear(subject, story)
  if (nothing !== null) return await withTries(court, { subject, found: [nothing] })
  if (!subject.touchesCode && kind !== 'characterisation') return await testsAlone(court, subject)
  const groups = await groupsOf(court, subject, policyOf(state).checks)
  if (groups.length === 0)
    return await withTries(court, {
      subject,
      found: [note('no check has a command that can run these tests alone')],
    })
  const witnesses: Witness[] = []
  for (const group of groups) {
    const red = await runOnCommit(court, group, subject)
    if (red.length > 0)
      return isProven(state, step.tree, `check:${group.check.name}`) ? notAlone(step.story, red) : told(red)
    const onBase = await runOnBase(court, group, subject)
    if (onBase === null) return told([note('the base cannot be set up, so that nobody can say what they show there')])
    const beside = onBase.some(endsTheRun) ? await runBeside(court, group) : undefined
    const heard = onBase.map((result, index) => witnessOf(group.parts[index]!, subject, result))
    witnesses.push(...heard.map((one) => (beside === undefined ? one : { ...one, beside })))
  }
  const found =
    kind === 'characterisation' ? characterisationFindings(witnesses) : witnessFindings(witnesses, subject.sources)
  return await withTries(court, { subject, found })
}

/** All of the check passes: tests that need others beside them are no fault, but nobody has seen what they show. */
function notAlone(story: string, [red]: Finding[]): Verdict {
  const words = 'its tests fail when they are run alone, although all of the check passes'
  const findings = [{ ...note(`${words}, so nobody can say what they show`), evidence: red?.evidence ?? '' }]
  return { status: 'findings', findings, failures: 0, proof: null, concerns: [`${story}: ${words}`] }
}

/** And whether anybody notices when what the story made is broken. */
async function withTries(court: Court, { subject, found }: { subject: Subject; found: Finding[] }): Promise<Verdict> {
  const isSettled = found.some((one) => blocks(one) && one.rule !== 'test-without-witness')
  if (isSettled || !subject.touchesCode) return told(found)
  const { state, step } = court.performance
  const tries = await triesOfChange(court, subject)
  const { mutation } = policyOf(state)
  const unnoticed = unnoticedFindings(tries, { mutation, hasTests: touchedTests(subject).length > 0 })
  const concern = concernOf(step.story!, unnoticed)
  const verdict = told([...withoutSilence(found, tries), ...unnoticed])
  return verdict.status === 'findings' && concern !== null ? { ...verdict, concerns: [concern] } : verdict
}

/** Tests for code that is there have to notice when it is broken; they need not fail without a change. */
async function testsAlone(court: Court, subject: Subject): Promise<Verdict> {
  const { mutation } = policyOf(court.performance.state)
  const tries = await triesOfTests(court, subject)
  if (tries === null || tries.every(({ word }) => word === 'unclear'))
    return told([note('no code is changed, and nobody can say which code the tests are about')])
  const files = touchedTests(subject).map(({ path }) => path)
  const found = emptyTestFindings(tries, { mutation, files })
  if (found.length > 0 || tries.some(({ word }) => word === 'noticed')) return told(found)
  return told([note('no code is changed, and too little could be broken to say what the tests notice')])
}

/** Tests of what reviewers found are told from the commit that they were written for: they have failed there. */
async function subjectIn({ repository, performance }: Court, story: StoryState): Promise<Subject> {
  const { base, commit } = performance.step
  const subject = subjectOf(await repository.diff(base, commit))
  const kept = new Set((await keptTests(repository, story, base)).map(({ path }) => path))
  return { ...subject, tests: subject.tests.filter(({ path }) => !kept.has(path)) }
}

/** Why there is no test whose failing would say anything; null: there are some. */
function nothingToHear(subject: Subject, { spec, red }: StoryState): Finding | null {
  const { touchesCode, inline } = subject
  if (touchedTests(subject).length > 0) return null
  if (!touchesCode && spec.tests !== 'characterisation')
    return note('no code is changed, so there is nothing that tests could tell apart')
  if (inline) return note('its tests stand among its code, and cannot be run without it')
  // Tests were to come first: that none was needed was said of a story that would change nothing.
  const severity = red === null ? 'suggestion' : 'blocking'
  return { ...note('the story changes code, and no test'), rule: 'no-test-changed', severity }
}

export function witnessOf(changes: Change[], { former }: Subject, onBase: Witness['onBase']): Witness {
  const tests = changes.map((change) => changedTests(change, former))
  return {
    files: changes.map(({ path }) => path),
    tests: {
      added: tests.flatMap(({ added }) => added),
      changed: tests.flatMap(({ changed }) => changed),
      same: tests.flatMap(({ same }) => same),
    },
    onBase,
  }
}

export const told = (findings: Finding[]): Verdict =>
  findings.length === 0
    ? { status: 'passed', proof: null, concerns: [] }
    : { status: 'findings', findings, failures: findings.filter(blocks).length, proof: null, concerns: [] }

const note = (message: string): Finding => ({
  source: 'witness',
  rule: 'nothing-to-witness',
  severity: 'note',
  file: null,
  line: null,
  message,
  evidence: '',
  fingerprint: hashOf(['witness', message]),
  fixTarget: 'tests',
})
