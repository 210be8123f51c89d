import type { Who } from '../../ids.ts'
import { bestOf, type Chosen, choose, modelsOf } from '../../shared/choosing.ts'
import type { Moment } from '../../shared/moment.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf } from '../../state.ts'
import type { StoryState } from '../../story/story.ts'
import type { Vantage } from '../review.ts'
import { inOrderFor, type Reviewer } from './seats.ts'

export const reviewerOf = (
  state: DeliveryState,
  story: StoryState,
  { vantage, moment }: { vantage: Vantage; moment: Moment },
): Chosen<Who> | null => choose(state, reviewersOf(state, story, vantage), moment.at)

export const triagerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, triagersOf(state), at)

export const reproducerOf = (state: DeliveryState, { at }: Moment): Chosen<Who> | null =>
  choose(state, reproducersOf(state), at)

/** All models of its agents, those first that have neither written the work nor look at it from elsewhere. */
export function reviewersOf(state: DeliveryState, story: StoryState, vantage: Vantage): Chosen<Who>[] {
  const policy = policyOf(state)
  const modelled = (agent: string): Who[] => {
    const models = modelsOf(policy, agent)
    return models.length > 0 ? models : [{ agent, model: null }]
  }
  const candidates = ({ agents }: Reviewer): Who[] => agents.flatMap(modelled)
  return inOrderFor(policy, story, { candidates, vantage }).map(({ agent, model }) => ({ agent, model, because: '' }))
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
