import { accountOf } from '../agents/absence.ts'
import type { Policy, ReviewPolicy } from '../policy.ts'
import type { Who } from '../step.ts'
import type { StoryState } from '../story/story.ts'
import type { ReviewWord, Vantage } from './review.ts'

export type Reviewer = ReviewPolicy['reviewers'][number]

/** Who is to look at the work; a seat that nobody can take is none. */
export const seatsOf = ({ review }: Policy): Reviewer[] => review.reviewers.filter(({ agents }) => agents.length > 0)

/** Seats whose word is still wanted in this round. */
export function openSeats(policy: Policy, { control, review }: StoryState): Reviewer[] {
  if (control.status !== 'reviewing') return []
  if (control.stage === 'review') return seatsOf(policy).filter(({ vantage }) => review.words[vantage] === undefined)
  return seatsOf(policy).filter(
    ({ vantage }) => isContent(policy, review.words[vantage]?.word) && review.rebuttals[vantage] === undefined,
  )
}

/** It approves, and finds nothing that would send the work back. */
export const isContent = ({ review }: Policy, word: ReviewWord | undefined): boolean =>
  word?.status === 'returned' &&
  word.verdict === 'approve' &&
  !word.findings.some(({ severity }) => review.blocks.includes(severity))

/** Two that are the same model agree more easily than they should. A model without a name is what its agent starts. */
export function modelOf(policy: Policy, { agent, model }: Who): string {
  const known = policy.agents[agent]
  return model ?? (known === undefined ? agent : accountOf(known))
}

/**
 * In which order they may take this seat: none that the author is, and none that sits on an earlier seat, as long as
 * there are others.
 */
export function inOrderFor(
  policy: Policy,
  { author, candidates, vantage }: { author: Who | null; candidates: (seat: Reviewer) => Who[]; vantage: Vantage },
): Who[] {
  const written = author === null ? null : modelOf(policy, author)
  const taken = new Set<string>()
  for (const seat of seatsOf(policy)) {
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
