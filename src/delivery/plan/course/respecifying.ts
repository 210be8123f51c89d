import type { SpecOutcome } from '../../events.ts'
import type { StoryId } from '../../ids.ts'
import { type DeliveryState, policyOf, type Reducers, raiseConcern, storiesOf, storyOf } from '../../state.ts'
import {
  enterQueue,
  exhaust,
  goOnAsItIs,
  isReplanned,
  letStand,
  refuel,
  workspaceLent,
} from '../../story/course/attempts.ts'
import { beginPhase } from '../../story/course/ladder.ts'
import type { Proposal, StoryState } from '../../story/story.ts'
import { freshStory } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import type { Plan, Story } from '../plan.ts'
import { departedStories } from './departures.ts'
import { planAudited, rethinkPlan, serialise } from './planning.ts'
import { dependingOn, inherited, proposalProblems } from './proposal.ts'

/** A plan was audited, or a story got another specification. */
export const specReducers: Reducers<SpecOutcome, unknown> = {
  PlanAudited(state, event) {
    state.plan.turns += 1
    planAudited(state, event)
  },
  StoryRespecified: (state, { story, changes, cause }) =>
    proposed(state, story, { proposal: { as: 'amended', changes }, cause }),
  StoryUpheld: (state, { story }) => upheld(state, storyOf(state, story)),
  StorySplit: (state, { story, into, cause }) => proposed(state, story, { proposal: { as: 'split', into }, cause }),
  RespecifyFaulted: (state, { story, problems }) => faulted(state, storyOf(state, story), problems),
  WorkspaceLent: (state, { story, path }) => workspaceLent(storyOf(state, story), path),
}

/** A human says yes; what has happened since may have made it unfit. */
export function proposalApproved(state: DeliveryState, story: StoryState): void {
  if (story.control.status !== 'respecified') return
  const { proposal, cause, departed } = story.control
  const problems = proposalProblems(state, story, proposal)
  if (problems.length === 0) adoptProposal(state, story)
  else moveStory(story, 'respecBegan', { as: proposal.as, reason: cause, departed, problems, repairs: 0 })
}

/** Under other settings there may be no gate any more, or nobody to specify anything anew. */
export function rethinkSpecs(state: DeliveryState): void {
  rethinkPlan(state)
  const { gates, roles } = policyOf(state)
  for (const story of storiesOf(state)) {
    const { control } = story
    if (control.status === 'respecified' && gates === 'auto' && !state.plan.given) proposalApproved(state, story)
    else if (control.status === 'gated' && gates !== 'manual') enterQueue(state, story, control)
    else if (control.status === 'respecifying' && roles.planner.length === 0)
      exhaust(state, story, `${control.reason} (there is no planner any more)`)
  }
}

/** Where a human has a say in the plan, they have it in this too. */
function proposed(state: DeliveryState, id: StoryId, { proposal, cause }: { proposal: Proposal; cause: string }): void {
  const story = storyOf(state, id)
  if (story.control.status !== 'respecifying') return
  const { as, departed } = story.control
  const problems = proposal.as === as ? proposalProblems(state, story, proposal) : [`it was asked for as ${as}`]
  if (problems.length > 0) return faulted(state, story, problems)
  story.respecs += 1
  moveStory(story, 'respecProposed', { proposal, cause, departed })
  if (policyOf(state).gates === 'auto' && !state.plan.given) adoptProposal(state, story)
}

/** Only what was put to the planner for what others did can be right as it is. */
function upheld(state: DeliveryState, story: StoryState): void {
  if (!isReplanned(story.control)) return faulted(state, story, ['it failed as it is: it cannot stay so'])
  story.respecs += 1
  goOnAsItIs(state, story)
}

/** One repair, then a human. */
function faulted(state: DeliveryState, story: StoryState, problems: string[]): void {
  const { control } = story
  if (control.status !== 'respecifying') return
  story.respecs += 1
  const repairs = control.repairs + 1
  if (repairs <= policyOf(state).limits.planRepairs)
    moveStory(story, 'respecFaulted', { ...control, problems, repairs })
  else if (isReplanned(control)) letStand(state, story, `no better specification was found: ${problems.join('; ')}`)
  else exhaust(state, story, `${control.reason}; and no better specification was found: ${problems.join('; ')}`)
}

/** The plan changes, never silently: what the story was stays with it, and the end tells. */
function adoptProposal(state: DeliveryState, story: StoryState): void {
  if (story.control.status !== 'respecified') return
  const { proposal, cause } = story.control
  const { spec } = story
  story.former = [...story.former, { spec, as: proposal.as, cause }]
  raiseConcern(state, `${spec.id} was ${proposal.as === 'split' ? 'split' : 'specified anew'}: ${cause}`)
  if (proposal.as === 'split') return split(state, story, { into: proposal.into, cause })
  if (isReplanned(story.control)) return replan(state, story, proposal.changes)
  story.findings = story.findings.filter(({ source }) => source !== 'coder')
  amend(state, story, proposal.changes)
}

/** Its counters stay: nobody has begun it. */
function replan(state: DeliveryState, story: StoryState, changes: Partial<Omit<Story, 'id'>>): void {
  story.spec = { ...story.spec, ...changes, id: story.spec.id }
  story.revision += 1
  goOnAsItIs(state, story)
  serialise(state)
}

/** Its counters begin anew; what was tried stays known. */
export function amend(state: DeliveryState, story: StoryState, changes: Partial<Omit<Story, 'id'>>): void {
  story.spec = { ...story.spec, ...changes, id: story.spec.id }
  story.revision += 1
  story.tally.amendments += 1
  story.judged = null
  // Whoever says now what it is to be knows what is there.
  story.heard = departedStories(state).map(({ spec }) => spec.id)
  serialise(state)
  refuel(state, story)
}

function split(state: DeliveryState, story: StoryState, { into, cause }: { into: Story[]; cause: string }): void {
  const { id } = story.spec
  const pieces = inherited(story.spec, into)
  const heard = departedStories(state).map((one) => one.spec.id)
  moveStory(story, 'split', { reason: cause, into: pieces.map((piece) => piece.id) })
  story.thisAttempt.session = null
  const states = pieces.map((spec): StoryState => ({ ...freshStory(spec, 'story'), origin: id, heard }))
  state.order = state.order.flatMap((one) => (one === id ? [id, ...pieces.map((piece) => piece.id)] : [one]))
  state.stories = { ...state.stories, ...Object.fromEntries(states.map((one) => [one.spec.id, one])) }
  for (const other of storiesOf(state)) other.spec = dependingOn(other.spec, id, pieces)
  for (const one of states) beginPhase(state, one)
  if (state.plan.plan !== null) state.plan.plan = withPieces(state.plan.plan, id, pieces)
  serialise(state)
}

/** What the whole was to fulfil, its parts are. */
function withPieces({ stories, outline }: Plan, id: StoryId, pieces: Story[]): Plan {
  const parts = pieces.map((piece) => piece.id)
  const covers = (outline?.covers ?? []).map((cover) => ({
    ...cover,
    stories: cover.stories.flatMap((one) => (one === id ? parts : [one])),
  }))
  return {
    stories: stories.flatMap((one) => (one.id === id ? pieces : [dependingOn(one, id, pieces)])),
    outline: outline === null ? null : { ...outline, covers },
  }
}
