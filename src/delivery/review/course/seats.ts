import type { Who } from '../../ids.ts'
import type { Policy, ReviewPolicy } from '../../policy.ts'
import { accountOf, bestOf, type Chosen, modelsOf } from '../../shared/choosing.ts'
import { type DeliveryState, policyOf } from '../../state.ts'
import type { StoryState } from '../../story/story.ts'
import {
  callable,
  type Disputed,
  type Reproducing,
  type Reviewing,
  type ReviewState,
  type ReviewWord,
  type Triaging,
  type Vantage,
} from '../review.ts'

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
 * All models of a seat's agents: last those of the work's author, and before them those that sit on an earlier seat, as
 * long as there are others.
 */
export function reviewersOf(state: DeliveryState, story: StoryState, vantage: Vantage): Chosen<Who>[] {
  const policy = policyOf(state)
  const modelled = (agent: string): Who[] => {
    const models = modelsOf(policy, agent)
    return models.length > 0 ? models : [{ agent, model: null }]
  }
  const written = story.author === null ? null : modelOf(policy, story.author)
  const taken = new Set<string>()
  const penalty = (who: Who): number => {
    const model = modelOf(policy, who)
    return (model === written ? 2 : 0) + (taken.has(model) ? 1 : 0)
  }
  for (const seat of seatsFor(policy, story)) {
    const order = seat.agents.flatMap(modelled).toSorted((one, other) => penalty(one) - penalty(other))
    if (seat.vantage === vantage) return order.map(({ agent, model }) => ({ agent, model, because: '' }))
    if (order[0] !== undefined) taken.add(modelOf(policy, order[0]))
  }
  return []
}

export function triagersOf(state: DeliveryState): Chosen<Who>[] {
  const { triager, planner } = policyOf(state).roles
  return bestOf(state, triager.length > 0 ? triager : planner)
}

/** Who writes tests, writes those that are to show what is wrong. */
export function reproducersOf(state: DeliveryState): Chosen<Who>[] {
  const { testWriter, coder } = policyOf(state).roles
  return bestOf(state, testWriter.length > 0 ? testWriter : coder)
}

/** More than a review may take from its first word to its end. */
export const reviewWeight = (policy: Policy): number => 3 * mostSeats(policy) + 24

/** How much of it is left: falls with each word. */
export function reviewRank(
  policy: Policy,
  story: StoryState,
  control: Reviewing | Triaging | Disputed | Reproducing,
): number {
  const { review } = story
  const seats = seatsFor(policy, story).length
  switch (control.status) {
    case 'reviewing':
      if (control.stage === 'rebuttal') return 20 + seats - Object.keys(review.rebuttals).length
      return 21 + seats + seats - Object.keys(review.words).length + (control.retry === 0 ? seats + 1 : 0)
    case 'triaging':
      return control.retry === 0 ? 19 : 17
    // With the question that is to be put.
    case 'disputed':
      return disputes[control.about]
    case 'reproducing':
      return 8
  }
}

/** In the order in which they may come. */
const disputes: Record<Disputed['about'], number> = { triage: 14, split: 11, unverified: 6 }
