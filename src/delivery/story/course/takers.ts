import type { Who } from '../../ids.ts'
import { nearCeiling } from '../../money/money.ts'
import { barOf } from '../../shared/absence.ts'
import { bestOf, type Chosen, choose, type Rung, withSpare } from '../../shared/choosing.ts'
import type { Moment } from '../../shared/moment.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { StoryState } from '../story.ts'
import { chainOf } from './ladder.ts'

/** Who takes the story's next turn. Null when nobody is left until a human has seen to it. */
export const coderOf = (state: DeliveryState, story: StoryState, moment: Moment): Chosen<Rung> | null =>
  choose(state, codersOf(state, story, moment.day), moment.at)

/** All that may take the story's next turn, the ladder's own choice first; cheaper ones when a ceiling is near. */
export function codersOf(state: DeliveryState, story: StoryState, day: string): Chosen<Rung>[] {
  const near = nearCeiling(state.money, policyOf(state).ceilings, { story: story.spec.id, day })
  return withSpare(state, chainOf(policyOf(state), story)).map((rung) => cheapened(state, rung, near))
}

export const verifierOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, verifiersOf(state), at)

/** If no agent is named, the coder's chain from its end, so that the author of the work comes last. */
export function verifiersOf(state: DeliveryState): Chosen<Who>[] {
  const { coder, verifier } = policyOf(state).roles
  return bestOf(state, verifier.length > 0 ? verifier : coder.toReversed())
}

function cheapened(state: DeliveryState, rung: Rung, near: string | null): Chosen<Rung> {
  const model = policyOf(state).agents[rung.agent]?.cheaper ?? null
  const pointless = near === null || model === null || model === rung.model
  if (pointless || barOf(state.absences, { agent: rung.agent, model }) !== null) return { ...rung, because: '' }
  return { ...rung, model, because: `${model} is cheaper, and ${near}` }
}
