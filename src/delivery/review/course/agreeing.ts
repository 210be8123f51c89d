import type { Work } from '../../judging/passing.ts'
import type { Answer } from '../../questions/question.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { StoryState } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { isContent, isOneModel } from '../seats.ts'
import { approve } from './ending.ts'

/** Nothing sends it back. Where all who looked are one model and agree, a human says whether that will do. */
export function conclude(state: DeliveryState, story: StoryState, { base, commit, tree }: Work): void {
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

/** Who only wants a review is told, and one alone agrees with nobody. */
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
