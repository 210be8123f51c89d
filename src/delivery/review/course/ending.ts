import type { Finding } from '../../judging/finding.ts'
import type { Answer } from '../../question.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import { exhaust } from '../../story/course/ladder.ts'
import type { Work } from '../../story/course/passing.ts'
import { pass } from '../../story/course/passing.ts'
import { codeAgain } from '../../story/course/turning.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { type Vantage, vantages } from '../review.ts'
import type { Disposed, ReviewState } from '../state.ts'
import { isContent, isOneModel } from './seats.ts'

/** Nothing is left that sends it back. */
export function approve(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
  const { review } = story
  review.since = { base, commit, by: heardOf(review) }
  review.approved = commit
  review.before = review.round
  review.open = []
  sayWhoAgreed(state, story)
  if (story.kind !== 'review') return pass(state, story, { base, commit, tree })
  story.findings = []
  moveStory(story, 'reviewEnded', { base, commit, tree, verdict: 'approve' })
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
  const { base, commit, tree, mend, also, red } = back
  const { review, phase } = story
  review.since = { base, commit, by: heardOf(review) }
  review.open = mend
  story.findings = [...mend, ...also]
  story.judged = { judge: 'review', base, commit, tree, passed: [], phase, red: story.red }
  if (story.kind === 'review') return moveStory(story, 'reviewEnded', { base, commit, tree, verdict: 'needs-work' })
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
export function endReview(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
  const work = { base, commit, tree }
  if (!isToBeAsked(state, story)) return approve(state, story, work)
  const by = trusterOf(state)
  if (by === null) {
    moveStory(story, 'disputed', { about: 'unverified', ...work, findings: [], sorted: [], over: [] })
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
