// A story that is on the line and is not what the plan says may make others wrong that nobody has begun yet.

import type { StoryId } from '../../ids.ts'
import { isBarred, plannersOf } from '../../shared/choosing.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern, storiesOf, storyOf } from '../../state.ts'
import { isReplanned, letStand } from '../../story/course/attempts.ts'
import { mayStart } from '../../story/course/due.ts'
import type { StoryState } from '../../story/story.ts'
import { isOnLine } from '../../story/story.ts'
import { moveStory } from '../../story/transitions.ts'
import { claimOf, foldersAround } from '../validate.ts'

/** After anything has happened: who could begin now is first held against what was done otherwise than planned. */
export function settleDepartures(state: DeliveryState): void {
  if (state.policy === null || state.mode.status === 'ended') return
  const departed = departedStories(state)
  if (departed.length === 0) return
  for (const story of storiesOf(state)) {
    const { control } = story
    if (control.status === 'respecifying' && isReplanned(control) && !isAwaited(state, story))
      letStand(state, story, 'no planner takes the turn')
    else if (control.status === 'waiting' && story.kind === 'story' && story.turn === 0 && mayStart(state, story))
      holdAgainst(state, story, departed)
  }
}

export const departedStories = (state: DeliveryState): StoryState[] =>
  storiesOf(state).filter((story) => story.thisAttempt.departures.length > 0 && isOnLine(story))

/** Those of them that this one builds on, or has files in common with. */
export const departuresFor = (state: DeliveryState, story: StoryState): StoryState[] =>
  concerning(state, story, departedStories(state))

function concerning(state: DeliveryState, story: StoryState, departed: StoryState[]): StoryState[] {
  const below = builtOn(state, story)
  const own = placesOf(story.spec.files)
  const shares = ({ spec, handoff }: StoryState): boolean => {
    const theirs = placesOf([...spec.files, ...handoff.files])
    return [...own.claims].some((one) => theirs.all.has(one)) || [...theirs.claims].some((one) => own.all.has(one))
  }
  return departed.filter((one) => one !== story && (below.has(one.spec.id) || shares(one)))
}

/** What is declared, and with it the folders around it. */
function placesOf(files: string[]): { claims: Set<string>; all: Set<string> } {
  const claims = files.map(claimOf)
  return { claims: new Set(claims), all: new Set([...claims, ...claims.flatMap(foldersAround)]) }
}

/** Also by way of others. */
function builtOn(state: DeliveryState, story: StoryState): Set<StoryId> {
  const below = new Set(story.spec.dependsOn)
  for (const id of below) for (const further of state.stories[id]?.spec.dependsOn ?? []) below.add(further)
  return below
}

/** Each departure once, and all that there are at once. */
function holdAgainst(state: DeliveryState, story: StoryState, departed: StoryState[]): void {
  const heard = new Set(story.heard)
  const fresh = departed.filter(({ spec }) => !heard.has(spec.id))
  if (fresh.length === 0) return
  story.heard = [...story.heard, ...fresh.map(({ spec }) => spec.id)]
  const ids = concerning(state, story, fresh).map(({ spec }) => spec.id)
  if (ids.length === 0) return
  const { replans } = policyOf(state).limits
  const not = whyNot(state)
  if (not === null) return beginReplan(state, story, ids)
  const told = `nobody looked again at ${story.spec.id}, though ${ids.join(', ')} departed from the plan: ${not}`
  if (replans > 0) raiseConcern(state, told)
}

function whyNot(state: DeliveryState): string | null {
  const { roles, limits } = policyOf(state)
  if (state.plan.given) return 'a human planned it'
  if (roles.planner.length === 0) return 'there is no planner (roles.planner)'
  if (state.plan.replans >= limits.replans) return `so many were already: ${state.plan.replans} (limits.replans)`
  return isBarred(state, plannersOf(state)) ? 'no planner takes a turn' : null
}

export function beginReplan(state: DeliveryState, story: StoryState, departed: StoryId[]): void {
  state.plan.replans += 1
  const reason = departed.map((id) => departureText(storyOf(state, id))).join('; ')
  moveStory(story, 'respecBegan', { as: 'amended', reason, departed, problems: [], repairs: 0 })
}

/** In short: the planner reads all of it where handoffs are told. */
function departureText({ spec, thisAttempt }: StoryState): string {
  const [first, ...more] = thisAttempt.departures
  const told = first === undefined ? '' : ` (${first.from.slice(0, longest)}: ${first.why.slice(0, longest)})`
  return `${spec.id} departed from the plan${told}${more.length === 0 ? '' : ` and in ${more.length} more`}`
}

const longest = 300

/** Somebody looks at it again, or could. */
const isAwaited = (state: DeliveryState, { spec }: StoryState): boolean =>
  Object.values(state.running).some(({ step }) => step.verb === 'RespecifyStory' && step.story === spec.id) ||
  !isBarred(state, plannersOf(state))
