import type { Work } from '../../ids.ts'
import type { Finding } from '../../judging/finding.ts'
import type { Answer } from '../../question.ts'
import { type DeliveryState, policyOf, raiseConcern } from '../../state.ts'
import { codeAgain, exhaust, pass } from '../../story/course/attempts.ts'
import { type StoryState, workOf } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import {
  type Disposed,
  type Disputed,
  type Reproduction,
  type ReviewState,
  type SortedFindings,
  type Vantage,
  vantages,
} from '../review.ts'
import { acceptedAfterAll, checkedTriage, opinionOf, overRejected, sortedByNobody } from '../triage.ts'
import { isContent, isOneModel } from './seats.ts'

/** What was found is sorted before anybody works on it; where nobody sorts, by what can be seen. */
export function enterTriage(state: DeliveryState, story: StoryState, given: Work & { findings: Finding[] }): void {
  const { findings } = given
  const { triager, planner } = policyOf(state).roles
  const work = workOf(given)
  if (triager.length === 0 && planner.length === 0) {
    const sorted = sortedByNobody(findings, outsideOf(story))
    for (const { fingerprint, fate, because } of sorted) {
      const put = findings.filter((one) => fate === 'deferred' && one.fingerprint === fingerprint)
      nameWhatBlocks(state, story, { findings: put, because })
    }
    return dispose(state, story, { ...work, findings, sorted })
  }
  moveStory(story, 'triageBegan', { ...work, findings, retry: 0, problems: [] })
}

/** Fingerprints at places that the change did not touch. */
export const outsideOf = ({ review }: StoryState): string[] =>
  Object.values(review.words).flatMap(({ word }) => (word.status === 'returned' ? word.outside : []))

export function findingsTriaged(state: DeliveryState, story: StoryState, given: SortedFindings[]): void {
  const { control } = story
  if (control.status !== 'triaging') return
  const { problems, sorted } = checkedTriage(control.findings, given)
  if (problems.length > 0) return triageFaulted(state, story, problems)
  guardRejection(state, story, { ...workOf(control), findings: control.findings, sorted })
}

/** One rework, then a stop. */
export function triageFaulted(state: DeliveryState, story: StoryState, problems: string[]): void {
  const { control } = story
  if (control.status !== 'triaging') return
  if (control.retry > 0)
    return exhaust(state, story, `what reviewers found could not be sorted: ${problems[0] ?? 'nothing said'}`)
  moveStory(story, 'triageFaulted', { ...control, retry: control.retry + 1, problems })
}

type Sorting = Work & { findings: Finding[]; sorted: SortedFindings[] }

/** A human looks at what was disposed of too easily; when nobody is there, what blocks counts. */
function guardRejection(state: DeliveryState, story: StoryState, sorting: Sorting): void {
  const { unattended, review } = policyOf(state)
  const { findings, sorted } = sorting
  const over = overRejected(findings, sorted, { blocks: review.blocks, outside: outsideOf(story) })
  if (over.length === 0) return guardSplit(state, story, sorting)
  if (!unattended) return moveStory(story, 'disputed', { about: 'triage', ...sorting, over })
  raiseConcern(state, `${story.spec.id}: the triager wanted to drop ${over.length} of ${findings.length} findings`)
  const isGrave = (print: string) => findings.some((one) => one.fingerprint === print && one.severity === 'blocking')
  const because = 'it blocks, and nobody was there to agree that it does not count'
  const all = acceptedAfterAll(findings, sorted, { prints: over.filter(isGrave), because })
  guardSplit(state, story, { ...sorting, sorted: all })
}

/** Where reviewers do not agree on what would send it back, a human says whom to believe; when nobody is there, it blocks. */
export function guardSplit(state: DeliveryState, story: StoryState, sorting: Sorting): void {
  const { unattended } = policyOf(state)
  const { mend } = apart(state, sorting)
  const over = mend.map(({ fingerprint }) => fingerprint).filter((print) => story.review.split.includes(print))
  if (over.length === 0) return dispose(state, story, sorting)
  if (!unattended) return moveStory(story, 'disputed', { about: 'split', ...sorting, over })
  raiseConcern(state, `${story.spec.id}: split: reviewers did not agree on ${over.length} of their findings`)
  dispose(state, story, sorting)
}

export const sortingOf = (control: Disputed): Sorting => ({
  ...workOf(control),
  ...{ findings: control.findings, sorted: control.sorted },
})

/** Each goes its way; what is dismissed does not come back. */
export function dispose(state: DeliveryState, story: StoryState, sorting: Sorting): void {
  const { findings, sorted } = sorting
  const { review, limits } = policyOf(state)
  const work = workOf(sorting)
  const { mend, also } = apart(state, sorting)
  for (const { fingerprint, fate, because } of sorted) {
    const finding = findings.find((one) => one.fingerprint === fingerprint)
    if (finding === undefined || fate === 'accepted') continue
    if (fate === 'deferred') putOff(story, [finding], because)
    else story.review.rejected = [...story.review.rejected, { finding, because }]
  }
  if (opinionOf(sorted, review.blocks) === 'approve') {
    putOff(story, also, 'it does not block')
    return endReview(state, story, work)
  }
  if (!review.verifyByTest || limits.reproductions === 0)
    return sendBack(state, story, { ...work, mend, also, red: null })
  moveStory(story, 'reproductionBegan', { ...work, mend, also })
}

/** What was accepted, as gravely as the triager says. */
function apart(state: DeliveryState, { findings, sorted }: Sorting): { mend: Finding[]; also: Finding[] } {
  const { blocks } = policyOf(state).review
  const accepted = findings.flatMap((finding) => {
    const word = sorted.find(({ fingerprint }) => fingerprint === finding.fingerprint)
    return word?.fate === 'accepted' ? [{ ...finding, severity: word.severity }] : []
  })
  return {
    mend: accepted.filter(({ severity }) => blocks.includes(severity)),
    also: accepted.filter(({ severity }) => !blocks.includes(severity)),
  }
}

/** Nothing is left that sends it back. */
export function approve(state: DeliveryState, story: StoryState, work: Work): void {
  const { review } = story
  const { base, commit } = work
  review.since = { base, commit, by: heardOf(review) }
  review.approved = commit
  review.before = review.round
  review.open = []
  sayWhoAgreed(state, story)
  if (story.kind !== 'review') return pass(state, story, work)
  story.findings = []
  moveStory(story, 'reviewEnded', { ...workOf(work), verdict: 'approve' })
}

/** From where it was looked at in this round. */
const heardOf = ({ words }: ReviewState): Vantage[] =>
  vantages.filter((vantage) => words[vantage]?.word.status === 'returned')

/** Agreement of one model with itself is told, unless a human has said that it will do. */
function sayWhoAgreed(state: DeliveryState, { review }: StoryState): void {
  const heard = Object.values(review.words).filter(({ word }) => word.status === 'returned')
  review.unverified = isOneModel(policyOf(state), heard)
  if (!review.unverified || review.trustedBy !== null) return
  const { agent, model } = heard[0]!
  raiseConcern(
    state,
    `unverified: only one model has reviewed it (${model ?? agent}); another agent in review.reviewers gives a second opinion`,
  )
}

export function putOff(story: StoryState, findings: Finding[], because: string): void {
  story.review.deferred = [...story.review.deferred, ...findings.map((finding): Disposed => ({ finding, because }))]
}

/** What would have sent it back, and what neither a human nor a triager has put off, is told at the end. */
export function nameWhatBlocks(
  state: DeliveryState,
  { spec }: StoryState,
  { findings, because }: { findings: Finding[]; because: string },
): void {
  const { blocks } = policyOf(state).review
  for (const { severity, file, line, message } of findings.filter((one) => blocks.includes(one.severity))) {
    const place = file === null ? '' : `${file}${line === null ? '' : `:${line}`}: `
    raiseConcern(state, `${spec.id}: ${severity}, and put off (${because}): ${place}${message}`)
  }
}

/** What is to be mended goes to the coder, as often as rounds allow; what is only to be looked at ends here. */
export function sendBack(state: DeliveryState, story: StoryState, back: Work & Back): void {
  const { base, commit, mend, also, red } = back
  const work = workOf(back)
  const { review, phase } = story
  review.since = { base, commit, by: heardOf(review) }
  review.open = mend
  story.findings = [...mend, ...also]
  story.judged = { judge: 'review', ...work, passed: [], phase, red: story.red }
  if (story.kind === 'review') return moveStory(story, 'reviewEnded', { ...work, verdict: 'needs-work' })
  const rounds = review.round - review.before
  if (rounds >= policyOf(state).limits.reviewRounds)
    return exhaust(state, story, `reviewers still want work after ${rounds} rounds: ${mend[0]!.message}`)
  if (red !== null) review.red = red
  story.thisAttempt.failures = null
  story.tally.rounds = 1
  codeAgain(state, story, { base, from: red?.commit ?? commit })
}

interface Back {
  /** It blocks. */
  mend: Finding[]
  /** It does not: to be done where it is cheap. */
  also: Finding[]
  /** Tests that fail because of it: where the coder starts. */
  red: { commit: string; tests: string[] } | null
}

/** Nothing sends the story back. If all reviewers are one model and agree, a human says whether that is enough. */
export function endReview(state: DeliveryState, story: StoryState, work: Work): void {
  if (!isToBeAsked(state, story)) return approve(state, story, work)
  const by = trusterOf(state)
  if (by === null) {
    moveStory(story, 'disputed', { about: 'unverified', ...workOf(work), findings: [], sorted: [], over: [] })
    return
  }
  story.review.trustedBy = by
  approve(state, story, work)
}

/** A delivery that only reviews tells it instead of asking. A single reviewer has nobody to agree with. */
function isToBeAsked(state: DeliveryState, { kind, review }: StoryState): boolean {
  const policy = policyOf(state)
  if (policy.unattended || policy.review.unverified === 'tell' || kind === 'review') return false
  const heard = Object.values(review.words).filter(({ word }) => word.status === 'returned')
  return heard.length > 1 && isOneModel(policy, heard) && heard.every(({ word }) => isContent(policy, word))
}

/** Somebody has said, once for this delivery, that one model will do. */
export const trusterOf = ({ questions }: DeliveryState): string | null =>
  Object.values(questions).find(({ question, answer }) => question.kind === 'unverified' && isForAll(answer))?.answer
    ?.by ?? null

export const isForAll = (answer: Answer | null): boolean => answer?.option === 'trust-all'

/** A test that fails as predicted confirms a finding; one that passes puts it off; anything else says nothing. */
export function findingsReproduced(
  state: DeliveryState,
  story: StoryState,
  { reproductions, red }: { reproductions: Reproduction[]; red: { commit: string } | null },
): void {
  const { control } = story
  if (control.status !== 'reproducing') return
  const { also } = control
  const tried = control.mend.slice(0, policyOf(state).limits.reproductions)
  const resultOf = (finding: Finding) =>
    tried.includes(finding) ? reproductions.find(({ fingerprint }) => fingerprint === finding.fingerprint) : undefined
  const mend = control.mend.filter((finding) => resultOf(finding)?.result !== 'refuted')
  for (const finding of control.mend) {
    const shown = resultOf(finding)
    if (shown?.result !== 'refuted') continue
    const because = `a test shows otherwise: ${shown.why}`
    putOff(story, [finding], because)
    nameWhatBlocks(state, story, { findings: [finding], because })
  }
  const confirmed = mend.flatMap((finding) => {
    const shown = resultOf(finding)
    return shown?.result === 'confirmed' && shown.test !== null ? [shown.test] : []
  })
  if (mend.length === 0) {
    putOff(story, also, 'it does not block')
    return endReview(state, story, control)
  }
  const kept = red !== null && confirmed.length > 0 ? { commit: red.commit, tests: [...new Set(confirmed)] } : null
  const told = mend.map((finding) => withTest(finding, resultOf(finding)))
  sendBack(state, story, { ...workOf(control), mend: told, also, red: kept })
}

const withTest = (finding: Finding, shown: Reproduction | undefined): Finding =>
  shown?.result === 'confirmed'
    ? {
        ...finding,
        evidence: `${finding.evidence}\n${shown.test ?? 'a test'} fails because of it: ${shown.why}`.trim(),
      }
    : finding
