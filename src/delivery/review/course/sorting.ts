import type { Finding } from '../../judging/finding.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import { exhaust } from '../../story/course/ladder.ts'
import type { Work } from '../../story/course/passing.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import type { Disputed } from '../control.ts'
import type { SortedFindings } from '../review.ts'
import { acceptedAfterAll, checkedTriage, opinionOf, overRejected, sortedByNobody } from '../triage.ts'
import { endReview, nameWhatBlocks, putOff, sendBack } from './ending.ts'

/** What was found is sorted before anybody works on it; where nobody sorts, by what can be seen. */
export function enterTriage(state: DeliveryState, story: StoryState, given: Work & { findings: Finding[] }): void {
  const { base, commit, tree, findings } = given
  const { triager, planner } = policyOf(state).roles
  const work = { base, commit, tree }
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
  const { base, commit, tree, findings } = control
  guardRejection(state, story, { base, commit, tree, findings, sorted })
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

export const sortingOf = ({ base, commit, tree, findings, sorted }: Disputed): Sorting => ({
  ...{ base, commit, tree },
  ...{ findings, sorted },
})

/** Each goes its way; what is dismissed does not come back. */
export function dispose(state: DeliveryState, story: StoryState, sorting: Sorting): void {
  const { base, commit, tree, findings, sorted } = sorting
  const { review, limits } = policyOf(state)
  const work = { base, commit, tree }
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
