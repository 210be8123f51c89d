import type { Finding } from '../../judging/finding.ts'
import { isBarred } from '../../shared/choosing.ts'
import { type DeliveryState, policyOf, raiseConcern, storiesOf } from '../../state.ts'
import { exhaust } from '../../story/course/attempts.ts'
import { judgeOfStory } from '../../story/course/judging.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import type { Reviewing, Vantage } from '../review.ts'
import { gathered, type Returned, returnedOf, runningTurn } from './due.ts'
import { enterReview } from './evolve.ts'
import { isContent, openSeats, reproducersOf, reviewersOf, seatsFor } from './seats.ts'
import { endReview, enterTriage, findingsReproduced, nameWhatBlocks, outsideOf, putOff } from './sorting.ts'

/** After anything has happened: whose last word is there, or will not come, goes on. */
export function settleReviews(state: DeliveryState): void {
  if (state.policy === null) return
  for (const story of storiesOf(state)) {
    if (story.kind === 'review' && story.control.status === 'waiting') enterReview(state, story, state.request!.review!)
    const { control } = story
    if (control.status === 'judging' && judgeOfStory(state, story) === null) enterReview(state, story, control)
    if (control.status === 'reviewing') settleRound(state, story, control)
    else if (control.status === 'reproducing' && !isAwaited(state, story))
      findingsReproduced(state, story, { reproductions: [], red: null })
  }
}

/** A test of findings is being tried, or somebody is there who can try it. */
const isAwaited = (state: DeliveryState, story: StoryState): boolean =>
  runningTurn(state, story, null) !== null || !isBarred(state, reproducersOf(state))

function settleRound(state: DeliveryState, story: StoryState, control: Reviewing): void {
  const open = openSeats(policyOf(state), story)
  const isWaiting = (vantage: Vantage) =>
    runningTurn(state, story, vantage) !== null || !isBarred(state, reviewersOf(state, story, vantage))
  if (open.some(({ vantage }) => isWaiting(vantage))) return
  if (control.stage === 'rebuttal') return endRebuttal(state, story, control)
  // Nobody at all is there: a human is asked to see to them.
  if (Object.keys(story.review.words).length === 0) return
  endRound(state, story, control)
}

function endRound(state: DeliveryState, story: StoryState, control: Reviewing): void {
  const returned = returnedOf(story)
  if (returned.length === 0) return askAgain(state, story, control)
  for (const { vantage } of seatsFor(policyOf(state), story)) sayWhoIsAbsent(state, story, vantage)
  sayWhatIsUnverifiable(state, returned)
  const findings = putOffGoalposts(state, story, gathered(story, state.plan.plan, returned))
  if (findings.length === 0) return endReview(state, story, control)
  const { rebuttal, blocks } = policyOf(state).review
  const isGrave = findings.some(({ severity }) => blocks.includes(severity))
  const asked = returned.some(([, word]) => isContent(policyOf(state), word))
  if (rebuttal && isGrave && asked) moveStory(story, 'rebuttalBegan', { ...control, stage: 'rebuttal' })
  else enterTriage(state, story, { ...control, findings })
}

/** Silence of all is no approval. */
function askAgain(state: DeliveryState, story: StoryState, control: Reviewing): void {
  const reasons = Object.entries(story.review.words).map(
    ([vantage, { word }]) => `${vantage}: ${word.status === 'absent' ? word.reason : ''}`,
  )
  if (control.retry > 0) return exhaust(state, story, `no reviewer returned: ${reasons.join('; ')}`)
  story.review.words = {}
  moveStory(story, 'reviewersSilent', { ...control, retry: control.retry + 1 })
}

function sayWhoIsAbsent(state: DeliveryState, { review, spec }: StoryState, vantage: Vantage): void {
  const word = review.words[vantage]?.word
  if (word?.status === 'returned') return
  raiseConcern(state, `${spec.id}: nobody reviewed it for ${vantage}: ${word?.reason ?? 'no agent takes the turn'}`)
}

function sayWhatIsUnverifiable(state: DeliveryState, returned: [Vantage, Returned][]): void {
  const known = state.plan.plan?.outline?.checklist.map(({ item }) => item) ?? []
  const words = returned.flatMap(([, { checklist }]) => checklist)
  for (const item of known) {
    const said = words.filter((word) => word.item === item)
    if (said.length > 0 && said.every((word) => word.state === 'unverifiable'))
      raiseConcern(state, `nobody could tell whether the checklist holds: ${item}`)
  }
}

/** What earlier rounds have looked at and found no fault with is not taken up again. */
function putOffGoalposts(state: DeliveryState, story: StoryState, findings: Finding[]): Finding[] {
  const { review } = story
  if (review.since === null || review.round - review.before < 2) return findings
  const outside = new Set(outsideOf(story))
  const open = new Set(review.open.map(({ fingerprint }) => fingerprint))
  const isLate = ({ fingerprint }: { fingerprint: string }) => outside.has(fingerprint) && !open.has(fingerprint)
  const because = 'it was there in an earlier round, and nobody said so'
  putOff(story, findings.filter(isLate), because)
  nameWhatBlocks(state, story, { findings: findings.filter(isLate), because })
  return findings.filter((finding) => !isLate(finding))
}

/** Disputed by one of those who approved: that is no agreement, and nobody takes the mean of it. */
function endRebuttal(state: DeliveryState, story: StoryState, control: Reviewing): void {
  const { review } = story
  const { blocks } = policyOf(state).review
  const findings = gathered(story, state.plan.plan, returnedOf(story))
  const disputed = Object.values(review.rebuttals)
    .flat()
    .filter(({ stance }) => stance === 'disputed')
    .map(({ fingerprint }) => fingerprint)
  review.split = findings
    .filter(({ fingerprint, severity }) => blocks.includes(severity) && disputed.includes(fingerprint))
    .map(({ fingerprint }) => fingerprint)
  enterTriage(state, story, { ...control, findings })
}
