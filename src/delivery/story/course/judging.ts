import type { Outcome } from '../../events.ts'
import type { CommitId, StoryId, TreeId } from '../../ids.ts'
import { blocks, type Finding, judgeKindOf, judgeKinds, type Verdict } from '../../judging/finding.ts'
import type { Story } from '../../plan/plan.ts'
import type { CheckPolicy, Policy } from '../../policy.ts'
import type { Vantage } from '../../review/review.ts'
import { type DeliveryState, policyOf, raiseConcern, storyOf } from '../../state.ts'
import type { Handoff } from '../handoff.ts'
import { type Proving, type StoryControl, type StoryState, workOf } from '../story.ts'
import { moveStory } from '../transitions.ts'
import { acceptanceOf, isAccepted } from './acceptance.ts'
import { codeAgain, endAttempt, exhaust, exhaustWithoutRung, spendRound } from './attempts.ts'
import { isVerified, strategyOf } from './ladder.ts'

type Judged = Extract<Outcome, { type: 'Judged' }>

export const isCheck = (judge: string): boolean => judge.startsWith('check:')

/** Whether the old tests hold for the new product. */
const isGuard = (judge: string): boolean => judge.startsWith('guard:')

const proves = (judge: string): boolean => judgeKinds[judgeKindOf(judge) ?? 'inspection'] === 'proof'

export const isProven = (state: DeliveryState, tree: TreeId, judge: string): boolean =>
  proves(judge) && (state.proven[tree]?.includes(judge) ?? false)

/** The judge that speaks next on a story's own commit, or null when all have passed. */
export function judgeOfStory(state: DeliveryState, story: StoryState): string | null {
  const { control } = story
  if (control.status !== 'judging') return null
  const open = (judge: string) => !control.passed.includes(judge) && !isProven(state, control.tree, wholeOf(judge))
  return judgesOfStory(policyOf(state), story).find(open) ?? null
}

/** What is proven by all tests needs no word from some of them. */
const wholeOf = (judge: string): string => judge.replace(/^related:/, 'check:')

/** Those that speak on a story's own commit, in order. */
export function judgesOfStory(policy: Policy, story: StoryState): string[] {
  if (story.phase === 'tests') return judgesOfTests(story)
  const judges = judgesOfCode(policy, story.spec)
  if (!isVerified(policy, story)) return judges
  return [...new Set(['inspection', ...judges, 'verifier'])]
}

/** Tests are shown to fail once: when they do not fit onto the line later, the code that they are for is there. */
const judgesOfTests = ({ red }: StoryState): string[] => (red === null ? ['inspection', 'red'] : ['inspection'])

const judgesOfCode = (policy: Policy, { strategy, proofs }: Story): string[] =>
  policy.judges.filter((judge) => {
    if (judge === 'witness') return strategy !== 'none'
    if (judge === 'criteria') return proofs.length > 0
    return !isCheck(judge) || isWholeOnStory(policy, judge)
  })

/** Whether all of the check that this judge runs is run on each story. */
export const isWholeOnStory = (policy: Policy, judge: string): boolean => fullOf(policy, judge) === 'story'

/** Those that speak on what is composed; those of `full: end` wait for the result of all. */
export const judgesOfLine = (policy: Policy): string[] =>
  policy.judges.filter((judge) => (isCheck(judge) || isGuard(judge)) && fullOf(policy, judge) !== 'end')

const fullOf = ({ checks }: Policy, judge: string): CheckPolicy['full'] =>
  checks.find(({ name }) => name === judge.replace(/^\w+:/, ''))?.full ?? 'story'

/** The check that a composed tree still lacks before it may join the line. */
export const judgeOfLine = (state: DeliveryState, tree: TreeId): string | null =>
  judgesOfLine(policyOf(state)).find((judge) => !isProven(state, tree, judge)) ?? null

/** The check that a tree still lacks before it may land: none is left out. */
export const judgeOfTree = (state: DeliveryState, tree: TreeId): string | null =>
  judgesOfTree(state, tree).find((judge) => !isProven(state, tree, judge)) ?? null

/** Acceptance tests are asked where they are: not of what is on the line ahead of them. */
export function judgesOfTree(state: DeliveryState, tree: TreeId): string[] {
  const { commits } = state.line
  const first = commits.findIndex(({ story }) => story === acceptanceOf(state)?.spec.id)
  const isAhead = commits.findLastIndex((one) => one.tree === tree) < first
  const judges = policyOf(state).judges.filter((judge) => isCheck(judge) || isGuard(judge))
  return isAccepted(state) && !isAhead ? [...judges, 'acceptance'] : judges
}

export function enterJudging(
  state: DeliveryState,
  story: StoryState,
  at: { base: CommitId; commit: CommitId; tree: TreeId },
): void {
  story.judged = null
  moveStory(story, 'tidied', { ...at, passed: [], retry: 0 })
  leaveWhenJudged(state, story)
}

/** All judges have passed: the code that makes the tests pass comes next, or else the reviewers. */
export function leaveWhenJudged(state: DeliveryState, story: StoryState): void {
  if (story.control.status !== 'judging' || judgeOfStory(state, story) !== null) return
  const { base, commit } = story.control
  story.findings = []
  if (story.phase === 'tests') story.red ??= commit
  if (story.phase === 'tests' && story.kind === 'story') codeForTests(state, story, { base, from: commit })
}

/** Whoever wrote the tests goes on, or, in three sessions, somebody who knows nothing but them. */
function codeForTests(state: DeliveryState, story: StoryState, at: { base: CommitId; from: CommitId }): void {
  story.phase = 'code'
  story.judged = null
  story.thisAttempt.failures = null
  story.tally.rounds = 1
  if (strategyOf(policyOf(state), story) === 'three-session') story.thisAttempt.session = null
  if (exhaustWithoutRung(state, story)) return
  codeAgain(state, story, at)
}

export function judged(state: DeliveryState, event: Judged, base: CommitId | null): void {
  for (const concern of event.verdict.status === 'none' ? [] : event.verdict.concerns) raiseConcern(state, concern)
  if (event.judge === 'witness' && event.story !== null) heardUnnoticed(storyOf(state, event.story), event.verdict)
  const heard = { ...event, verdict: passedButForWarnings(state, event) }
  if (heard.verdict.status === 'passed' && isSound(state, event, base)) prove(state, event.tree, event.judge)
  if (event.scope === 'whole') judgedWhole(state, heard)
  else if (event.story !== null) judgedFor[event.scope](state, storyOf(state, event.story), heard)
}

/** What blocks nobody is still told. */
function heardUnnoticed(story: StoryState, verdict: Verdict): void {
  const findings = verdict.status === 'findings' ? verdict.findings : []
  story.thisAttempt.unnoticed = findings.filter(({ rule }) => rule === 'line-unnoticed').map(({ message }) => message)
}

const judgedFor = { story: judgedStory, line: judgedOnLine }

/** Findings that only warn, or that a human waived, do not hold the work back. */
function passedButForWarnings(state: DeliveryState, event: Judged): Verdict {
  const { verdict } = event
  // A red check is red, whatever it found: neither a mild word nor a waiver makes a proof of it.
  if (verdict.status !== 'findings' || (proves(event.judge) && !isGuard(event.judge))) return verdict
  const waived = event.story === null ? [] : storyOf(state, event.story).waived
  const open = verdict.findings.filter((finding) => blocks(finding) && !waived.includes(finding.fingerprint))
  if (open.length > 0) return { ...verdict, findings: open }
  for (const finding of verdict.findings.filter(blocks))
    raiseConcern(state, `${event.story}: waived: ${finding.message}`)
  return { status: 'passed', proof: null, concerns: [] }
}

/** A pass may excuse what fails on its base as well: beside a base that is not proven itself it proves nothing. */
function isSound({ line, request, proven }: DeliveryState, { judge, scope }: Judged, base: CommitId | null): boolean {
  if (!proves(judge) || scope !== 'story') return proves(judge)
  // Of a story it has seen only some of the tests.
  if (isGuard(judge)) return false
  if (base === request?.base || base === line.target) return true
  return line.commits.some(({ commit, tree }) => commit === base && proven[tree]?.includes(judge))
}

function prove(state: DeliveryState, tree: TreeId, judge: string): void {
  const proofs = state.proven[tree] ?? []
  if (!proofs.includes(judge)) state.proven[tree] = [...proofs, judge]
}

function judgedStory(state: DeliveryState, story: StoryState, { judge, verdict, calls }: Judged): void {
  const { control } = story
  if (control.status !== 'judging') return
  if (calls !== undefined && story.phase === 'code') heardCalls(story, calls)
  if (verdict.status === 'passed') {
    moveStory(story, 'judgePassed', { ...control, passed: [...control.passed, judge], retry: 0 })
    leaveWhenJudged(state, story)
  } else if (verdict.status === 'none') {
    if (control.retry >= policyOf(state).limits.judgeRetries) exhaust(state, story, noVerdict(judge, verdict.reason))
    else moveStory(story, 'judgeSilent', { ...control, retry: control.retry + 1 })
  } else {
    const work = workOf(control)
    const { passed } = control
    const { phase, red } = story
    story.judged = { judge, ...work, passed, phase, red }
    story.findings = verdict.findings
    if (story.thisAttempt.taken)
      return exhaust(state, story, `what the human left did not pass ${judge}: ${verdict.findings[0]!.message}`)
    if (isGuard(judge) && isHeardAgain(story, judge, verdict.failures) && isMaintained(story.handoff, verdict.findings))
      return contest(state, story, { ...work, passed, judge, findings: verdict.findings })
    if (areTestsOfAnother(policyOf(state), story, judge))
      return endAttempt(state, story, `its tests are wrong: ${verdict.findings[0]!.message}`)
    sendBack(state, story, { judge, failures: verdict.failures, at: { base: work.base, from: work.commit } })
  }
}

/** The coder was told of them before, and there are no more of them since. */
const isHeardAgain = ({ thisAttempt: { failures } }: StoryState, judge: string, count: number): boolean =>
  failures !== null && failures.judge === judge && count <= failures.count

/** Old tests fail and are said to have to change: whoever is there decides, and nobody where nobody is. */
function contest(state: DeliveryState, story: StoryState, contested: Contested): void {
  const { unattended, changedTests, review } = policyOf(state)
  if (!unattended || changedTests === 'ask') moveStory(story, 'testsContested', contested)
  else if (changedTests === 'reviewers' && review.reviewers.length > 0) goOnWithChangedTests(state, story, contested)
  else {
    const tests = contested.findings.map(testIn).slice(0, 10).join(', ')
    exhaust(state, story, `old tests fail, and its coder maintains that they have to change: ${tests}`)
  }
}

/** They are excused from here on, on the line as well, and it is told. */
export function goOnWithChangedTests(state: DeliveryState, story: StoryState, contested: Contested): void {
  const { base, commit, tree, passed, judge, findings } = contested
  story.waived = [...new Set([...story.waived, ...findings.map(({ fingerprint }) => fingerprint)])]
  for (const concern of changedExpectations(story, findings)) raiseConcern(state, concern)
  story.findings = []
  moveStory(story, 'testsExcused', { base, commit, tree, passed: [...passed, judge], retry: 0 })
  leaveWhenJudged(state, story)
}

/** Who was called for in this attempt has a say until its end: it may have found what is being mended. */
function heardCalls({ review }: StoryState, calls: Vantage[]): void {
  const before = review.since === null ? [] : review.calls
  review.calls = [...new Set([...before, ...calls])]
}

/** Who writes the code to another's tests cannot mend them: the next attempt begins with them, and is told. */
const areTestsOfAnother = (policy: Policy, story: StoryState, judge: string): boolean =>
  (judge === 'verifier' || judge === 'witness') &&
  isVerified(policy, story) &&
  story.findings.every(({ fixTarget }) => fixTarget === 'tests')

function sendBack(
  state: DeliveryState,
  story: StoryState,
  { judge, failures: count, at }: { judge: string; failures: number; at: { base: CommitId; from: CommitId } },
): void {
  const before = story.thisAttempt.failures
  story.thisAttempt.failures = { judge, count }
  if (before !== null && before.judge === judge && count > before.count)
    return endAttempt(state, story, `failures of ${judge} rose from ${before.count} to ${count}`)
  spendRound(state, story, at)
}

function judgedOnLine(state: DeliveryState, story: StoryState, { judge, verdict }: Judged): void {
  const { control } = story
  if (control.status !== 'proving') return
  const heard = (said: Partial<Proving>) => moveStory(story, 'lineJudged', { ...control, ...said })
  if (verdict.status === 'passed') return heard({ retry: 0 })
  if (verdict.status === 'findings') return heard({ red: { judge, findings: verdict.findings, silence: null } })
  if (control.retry < policyOf(state).limits.judgeRetries) return heard({ retry: control.retry + 1 })
  heard({ red: { judge, findings: [], silence: verdict.reason } })
}

function judgedWhole({ line, policy }: DeliveryState, { judge, commit, verdict }: Judged): void {
  const silences = verdict.status === 'none' ? line.silences + 1 : 0
  line.silences = silences
  if (verdict.status === 'findings') line.whole = { commit, findings: verdict.findings, silence: '', mend: null }
  if (verdict.status !== 'none' || silences <= policy!.limits.judgeRetries) return
  line.whole = { commit, findings: [], silence: noVerdict(judge, verdict.reason), mend: null }
}

export const noVerdict = (judge: string, reason: string): string => `${judge} gave no verdict: ${reason}`

/** The coder says of each of these tests that the requirement demands another one. */
export const isMaintained = ({ changedTests }: Handoff, findings: readonly Finding[]): boolean =>
  changedTests.length > 0 && findings.every((finding) => changedTests.some(({ test }) => names(test, testIn(finding))))

/** Coders write a test's name with its file, or without its suites. */
const names = (said: string, test: string): boolean =>
  said.includes(test) || (said.trim().length > 2 && test.includes(said.trim()))

/** As the guard quotes it; of a check that failed as a whole its name. */
export const testIn = ({ message, source }: Finding): string =>
  /^the test "(.*?)", as it was before/s.exec(message)?.[1] ?? source.replace(/^guard:/, '')

/** What the coder says of them, for people and reviewers. */
export const maintainedText = ({ changedTests }: Handoff): string =>
  changedTests.map(({ test, why, criterion }) => `${test}: ${why} (${criterion})`).join('; ')

/** Told of each test by itself. */
export const changedExpectations = ({ spec, handoff }: StoryState, findings: readonly Finding[]): string[] => {
  const said = maintainedText(handoff)
  return findings.map(
    (finding, index) => `${changes(spec.id)}${testIn(finding)}${index === 0 ? `; its coder: ${said}` : ''}`,
  )
}

/** Those of a story, without what its author says about them. */
export const expectationsChangedBy = ({ concerns }: DeliveryState, id: StoryId): string[] =>
  concerns.flatMap((one) =>
    one.startsWith(changes(id)) ? [one.slice(changes(id).length).replace(/; its coder: .*$/s, '')] : [],
  )

const changes = (id: StoryId): string => `${id} changes what an old test expects: `

export type Contested = Omit<Extract<StoryControl, { status: 'contested' }>, 'status'>
