import type { Who } from '../../ids.ts'
import type { Policy, ReviewPolicy } from '../../policy.ts'
import { accountOf } from '../../shared/absence.ts'
import type { StoryState } from '../../story/story.ts'
import { callable, type ReviewWord, type Vantage } from '../review.ts'
import type { ReviewState } from '../state.ts'

export type Reviewer = ReviewPolicy['reviewers'][number]

/** Who looks at any work; a seat that nobody can take is none. */
export const seatsOf = ({ review }: Policy): Reviewer[] => review.reviewers.filter(({ agents }) => agents.length > 0)

/** How many seats a diff adds; from where else it calls, the first reviewer is told to look. */
const mostCalled = 2

/** As many as can look at one work. */
export const mostSeats = (policy: Policy): number => {
  const seats = seatsOf(policy).length
  return seats === 0 || !policy.review.followDiff ? seats : seats + mostCalled
}

/** Who looks at this work: those of the settings, and whom its diff calls for; any agent that reviews may take such a seat. */
export function seatsFor(policy: Policy, { review }: { review: ReviewState }): Reviewer[] {
  const seats = seatsOf(policy)
  if (!policy.review.followDiff) return seats
  const agents = [...new Set(seats.flatMap((seat) => seat.agents))]
  const isLeft = (vantage: Vantage) => review.calls.includes(vantage) && !seats.some((seat) => seat.vantage === vantage)
  const called = agents.length === 0 ? [] : callable.filter(isLeft).slice(0, mostCalled)
  return [...seats, ...called.map((vantage) => ({ vantage, agents }))]
}

/** Seats whose word is still wanted in this round. */
export function openSeats(policy: Policy, { control, review }: StoryState): Reviewer[] {
  if (control.status !== 'reviewing') return []
  const seats = seatsFor(policy, { review })
  if (control.stage === 'review') return seats.filter(({ vantage }) => review.words[vantage] === undefined)
  return seats.filter(
    ({ vantage }) => isContent(policy, review.words[vantage]?.word) && review.rebuttals[vantage] === undefined,
  )
}

/** It approves, and finds nothing that would send the work back. */
export const isContent = ({ review }: Policy, word: ReviewWord | undefined): boolean =>
  word?.status === 'returned' &&
  word.verdict === 'approve' &&
  !word.findings.some(({ severity }) => review.blocks.includes(severity))

/** Two that are the same model agree more easily than they should. A model without a name is what its agent starts. */
function modelOf(policy: Policy, { agent, model }: Who): string {
  const known = policy.agents[agent]
  return model ?? (known === undefined ? agent : accountOf(known))
}

export const isOneModel = (policy: Policy, heard: Who[]): boolean =>
  new Set(heard.map((who) => modelOf(policy, who))).size === 1

/**
 * In which order they may take this seat: none that the author is, and none that sits on an earlier seat, as long as
 * there are others.
 */
export function inOrderFor(
  policy: Policy,
  story: StoryState,
  { candidates, vantage }: { candidates: (seat: Reviewer) => Who[]; vantage: Vantage },
): Who[] {
  const written = story.author === null ? null : modelOf(policy, story.author)
  const taken = new Set<string>()
  for (const seat of seatsFor(policy, story)) {
    const penalty = (who: Who): number => {
      const model = modelOf(policy, who)
      return (model === written ? 2 : 0) + (taken.has(model) ? 1 : 0)
    }
    const order = candidates(seat).toSorted((one, other) => penalty(one) - penalty(other))
    if (seat.vantage === vantage) return order
    if (order[0] !== undefined) taken.add(modelOf(policy, order[0]))
  }
  return []
}
