import type { JudgedStory } from '../../../delivery/inputs/judging.ts'
import { blocks, type Finding, type Verdict } from '../../../delivery/judging/finding.ts'
import { isProductCode } from '../../../proof/breakage/spots.ts'
import type { Change } from '../../../proof/files/change.ts'
import { languageOf } from '../../../proof/files/test-file.ts'
import {
  concernOf,
  emptyTestFindings,
  isOnlyTold,
  isOwnWord,
  readersFinding,
  type Try,
  unnoticedFindings,
  unreadFindings,
  unsaid,
  untestedConcern,
  untriedFindings,
  withoutReaders,
  withoutSilence,
} from '../../../proof/witness/judge-tries.ts'
import {
  assertTheChange,
  characterisationFindings,
  type Witness,
  witnessFindings,
} from '../../../proof/witness/judge-witness.ts'
import { changedTests } from '../../../proof/witness/named-tests.ts'
import { bringsTests, type Subject, subjectOf, touchedTests } from '../../../proof/witness/subject.ts'
import { invariant } from '../../../std/never.ts'
import { asFinding } from '../../as-finding.ts'
import { recordOfBase } from '../base-runs.ts'
import { keptTests } from '../inspection.ts'
import { provenFor } from '../proof.ts'
import type { Court } from '../run-check.ts'
import { lookUp, verdictFrom } from '../verdict.ts'
import { areExecuted } from './control.ts'
import { groupsOf, hasTime, noTime, runGroupOnBase, runOnCommit, wereUnheard } from './groups.ts'
import { type Hearing, hearingOf, tryingOf } from './hearing.ts'
import { idleFindings, inVainFindings, sourceReaders } from './own-tests.ts'
import { lostHearing } from './silent-parts.ts'
import { triesOfChange, triesOfTests } from './tries.ts'

/** Whether the story's new and changed tests tell its change from what was before: they fail there, and pass here. */
export async function witnessVerdict(court: Court): Promise<Verdict> {
  const { story, policy, proven } = court.input
  invariant(story !== null, 'only a story has tests of its own')
  const kind = story.spec.tests
  const subject = await subjectIn(court, story)
  const nothing = nothingToHear(subject, story)
  if (nothing !== null && !subject.touchesCode) return verdictFrom([nothing])
  const hearing = await hearingOf(court)
  if (nothing !== null) return await withTries(hearing, { subject, found: [nothing] })
  if (!subject.touchesCode && kind !== 'characterisation') return await testsAlone(hearing, subject)
  const groups = await groupsOf(court, subject, policy.checks)
  if (groups.length === 0)
    return await withTries(hearing, {
      subject,
      found: [note('no check has a command that can run these tests alone')],
    })
  const witnesses: Witness[] = []
  for (const group of groups) {
    const red = hasTime(hearing, group) ? await runOnCommit(hearing, group, subject) : noTime
    if (red !== noTime && red.length > 0) {
      // Who executes no test alone executes none beside others either.
      const isHeard = red.every(({ rule }) => rule !== 'no-tests') || (await wereUnheard(hearing, group))
      const isProof = proven.includes(`check:${group.check.name}`) && isHeard
      return isProof ? await notAlone(hearing, subject, red) : verdictFrom(red)
    }
    const onBase = red === noTime ? noTime : await runGroupOnBase(hearing, group, subject)
    if (onBase === noTime) {
      const files = group.parts.flat().map(({ path }) => path)
      hearing.untried.unshift(`whether ${files.slice(0, 3).join(', ')} fails without the change`)
      continue
    }
    if (onBase === null)
      return verdictFrom([note('the base cannot be set up, so that nobody can say what they show there')])
    witnesses.push(...onBase.map((result, index) => witnessOf(group.parts[index]!, subject, result)))
  }
  const found =
    kind === 'characterisation' ? characterisationFindings(witnesses) : witnessFindings(witnesses, untested(story))
  return await withTries(hearing, { subject, found, asserted: assertTheChange(witnesses, touchedTests(subject)) })
}

/** All of the check passes: tests that need others beside them are no fault, but nobody has seen what they show. */
async function notAlone(court: Hearing, subject: Subject, [red]: Finding[]): Promise<Verdict> {
  const words = 'its tests fail when they are run alone, although all of the check passes'
  const found = [{ ...note(`${words}, so nobody can say what they show`), evidence: red?.evidence ?? '' }]
  const verdict = await withTries(court, { subject, found })
  if (verdict.status === 'none') return verdict
  return { ...verdict, concerns: [`${court.step.story}: ${words}`, ...verdict.concerns] }
}

/** And whether anybody notices when what the story made is broken. `asserted`: a test of it fails without it, by what it asserts. */
async function withTries(
  court: Hearing,
  { subject, found: told, asserted = false }: { subject: Subject; found: Finding[]; asserted?: boolean },
): Promise<Verdict> {
  const isSettled = told.some((one) => blocks(one) && one.rule !== 'test-without-witness')
  if (isSettled || !subject.touchesCode) return withUntried(court, [], { findings: told, concerns: [] })
  const { step } = court
  const all = await triesOfChange(court, subject, told.some(blocks))
  const isHeard = all.some(({ word, damage }) => word !== 'unclear' && damage.kind === 'broken')
  const isUntold =
    !isHeard && !isWithinReach(subject, all) && court.untried.length === 0 && (await tryingOf(court, subject)) !== null
  const found = isUntold ? told.map(unsaid) : told
  const readers = await sourceReaders(court, subject, all)
  const tries = withoutReaders(all, readers)
  const { mutation, limits } = court.input.policy
  const isNew = bringsTests(subject)
  const whole = tries.filter(({ damage }) => damage.side === undefined)
  const triedAll = isNew && whole.length < limits.breakages && court.untried.length === 0
  const hasTests = isNew || (await hasMoreTests(court))
  const silence = unnoticedFindings(tries, { mutation, hasTests, triedAll })
  // Tests that notice what is broken in anything that they import are not empty: then the lines of the change are told.
  const isSilent = silence.some(({ rule }) => rule === 'change-unnoticed')
  const others = isSilent && !asserted ? await triesOfTests(court, subject, 'asserted') : null
  const isEmpty = isSilent && !asserted && others?.some(isOwnWord) !== true
  const unnoticed = isEmpty ? silence : silence.map(unsaid)
  const silent = withoutSilence(found, tries, court.untried.length)
  if (isNew && ![...silent, ...unnoticed].some(blocks)) unnoticed.push(...(await idleFindings(court, subject, tries)))
  const isSaid = [...silent, ...unnoticed].some((one) => blocks(one) || (isEmpty && one.rule === 'change-unnoticed'))
  if (!isSaid) unnoticed.push(...(await inVainFindings(court, subject, tries)))
  const concern = concernOf(step.story!, [...found, ...unnoticed])
  const lost = unnoticed.some(blocks) ? [] : await lostHearing(court, subject, tries)
  const reading = readers.size === 0 ? [] : [readersFinding(readers, touchedTests(subject)[0]!.path)]
  const isOfOthers = isNew && mutation === 'block' && onlyUnread(subject, tries)
  const unread = unreadFindings(tries, isOfOthers ? 'blocking' : 'suggestion')
  const heard = [...silent, ...unnoticed, ...lost, ...reading, ...unread]
  const weak = [...[...found, ...unnoticed].filter(isOnlyTold), ...(isOfOthers ? [] : unread)]
  const concerns = [concern, untestedConcern(step.story!, found, { sources: subject.sources, tries })].filter(
    (one) => one !== null,
  )
  concerns.push(...weak.map(({ message }) => `${step.story}: ${message}`))
  return withUntried(court, tries, { findings: heard, concerns })
}

/** Its tests could look at a file at which no check looks: they are written in the same language. */
const isWithinReach = (subject: Subject, tries: readonly Try[]): boolean =>
  touchedTests(subject).some(({ path }) =>
    tries.some(({ unread, damage }) => unread && languageOf(path) === languageOf(damage.file)),
  )

/** All that was made stands in new files, at which no check looks: the tests that came with it are about something else. */
const onlyUnread = ({ sources }: Subject, tries: readonly Try[]): boolean =>
  tries.length > 0 &&
  tries.every(({ unread }) => unread) &&
  sources.every(({ path, before, after }) => before === null || !isProductCode(path, after ?? ''))

/** And what there was no time for. */
function withUntried(
  { step, untried, askings }: Hearing,
  tries: readonly Try[],
  { findings, concerns }: { findings: Finding[]; concerns: string[] },
): Verdict {
  const isLong = askings.some(({ allowance }) => allowance.fileMs > 0)
  const left = untriedFindings(untried, { tries, isLong })
  const verdict = verdictFrom([...findings, ...left])
  if (verdict.status !== 'findings') return verdict
  const missed = left.filter(({ severity }) => severity === 'suggestion')
  return {
    ...verdict,
    concerns: [...concerns, ...missed.map(({ message }) => `${step.story}: ${message}`)],
  }
}

/** Tests for code that is there have to notice when it is broken; they need not fail without a change. */
async function testsAlone(court: Hearing, subject: Subject): Promise<Verdict> {
  const { mutation } = court.input.policy
  const tries = await triesOfTests(court, subject)
  if (tries === null || (court.untried.length === 0 && tries.every(({ word }) => word === 'unclear'))) {
    const idle = await unlessAsBefore(court, subject, await idleFindings(court, subject, []))
    return verdictFrom([...idle, note('no code is changed, and nobody can say which code the tests are about')])
  }
  const files = touchedTests(subject).map(({ path }) => path)
  const empty = emptyTestFindings(tries, { mutation, files })
  const trying = empty.some(blocks) ? await tryingOf(court, subject) : null
  const isShown = trying === null || (await areExecuted(trying, tries, files))
  const all = isShown ? empty : [...empty.map(unsaid), ...(await idleFindings(court, subject, []))]
  const found = await unlessAsBefore(court, subject, all)
  if (found.length > 0 || tries.some(({ word }) => word === 'noticed')) return verdictFrom(found)
  const findings = [note('no code is changed, and too little could be broken to say what the tests notice')]
  return withUntried(court, tries, { findings, concerns: [] })
}

/** Who only edits tests that noticed nothing before has not emptied them. */
async function unlessAsBefore(court: Hearing, subject: Subject, found: Finding[]): Promise<Finding[]> {
  if (!found.some(blocks) || bringsTests(subject)) return found
  const { step } = court
  const { base } = step
  const before = { commit: base, tree: await court.repository.treeOf(base) }
  const onBase = { ...court, step: { ...court.step, ...before } }
  const tries = await triesOfTests(onBase, subject)
  const wasHeard = tries?.some(({ word }) => word === 'noticed') === true
  const wasEmpty = !wasHeard && (tries !== null || (await idleFindings(onBase, subject, [])).length > 0)
  return wasEmpty ? found.map(unsaid) : found
}

/** Tests of what reviewers found are told from the commit that they were written for: they have failed there. */
async function subjectIn({ world, repository, step }: Court, story: JudgedStory): Promise<Subject> {
  const { base, commit } = step
  const subject = subjectOf(await repository.diff(base, commit), await world.code())
  const kept = new Set((await keptTests(repository, story.reproduced, base)).map(({ path }) => path))
  return { ...subject, tests: subject.tests.filter(({ path }) => !kept.has(path)) }
}

/** Why there is no test whose failing would say anything; null: there are some. */
function nothingToHear(subject: Subject, story: JudgedStory): Finding | null {
  const { touchesCode, inline } = subject
  if (touchedTests(subject).length > 0) return null
  if (!touchesCode && story.spec.tests !== 'characterisation')
    return note('no code is changed, so there is nothing that tests could tell apart')
  if (inline) return note('its tests stand among its code, and cannot be run without it')
  return { ...note('the story changes code, and no test'), rule: 'no-test-changed', severity: untested(story) }
}

/** Where tests were to come first, that none was needed was said of a story that would change nothing. */
const untested = ({ red }: JudgedStory): Finding['severity'] => (red === null ? 'suggestion' : 'blocking')

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

const note = (message: string): Finding =>
  asFinding({
    ...{ source: 'witness', rule: 'nothing-to-witness', severity: 'note', fixTarget: 'tests' },
    ...{ message, key: ['witness', message] },
  })

/**
 * Whether a check tells of more tests than on the base. Where nobody can read which they are, the story has tests all the
 * same: what it wrote says that they pass, and only what they notice shows that they are any.
 */
export async function hasMoreTests(court: Court): Promise<boolean> {
  for (const check of court.input.policy.checks) {
    const bench = { ...court, check }
    const { known, baseTree, keys } = await lookUp(bench)
    const now = known?.status === 'passed' ? known.proof?.counts?.total : undefined
    const proof = await provenFor(bench, { tree: baseTree, environmentKey: keys.plain })
    const ran = await recordOfBase(bench, { tree: baseTree, environment: keys.plain, run: 'first' })
    const before = proof?.counts?.total ?? (ran?.status === 'ran' ? ran.result.counts?.total : undefined)
    if (now !== undefined && before !== undefined && now > before) return true
  }
  return false
}
