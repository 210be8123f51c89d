import type { Strategy } from '../../plan/plan.ts'
import type { Policy } from '../../policy.ts'
import type { DeliveryState } from '../../state.ts'
import { policyOf, raiseConcern } from '../../state.ts'
import type { StoryState } from '../story.ts'

/** When the story's tests are written. Only what can be run alone, and fails without the change, can come first. */
export function strategyOf(policy: Policy, { spec, kind }: StoryState): Strategy {
  const wanted = spec.strategy ?? policy.strategy
  if (kind === 'acceptance') return 'three-session'
  return comesFirst(wanted) && whyNotFirst(policy, spec) !== null ? 'after' : wanted
}

const comesFirst = (strategy: Strategy): boolean => strategy === 'tdd' || strategy === 'three-session'

function whyNotFirst(policy: Policy, { tests }: StoryState['spec']): string | null {
  if (!runsSingleTests(policy)) return 'no check can run single tests (`related`)'
  return tests === 'characterisation' ? 'some hold with and without the change (`tests: characterisation`)' : null
}

export const runsSingleTests = ({ checks }: Policy): boolean => checks.some(({ related }) => related !== null)

/** Each attempt begins with its tests, where they come first. */
export function beginPhase(state: DeliveryState, story: StoryState): void {
  const policy = policyOf(state)
  story.phase = comesFirst(strategyOf(policy, story)) ? 'tests' : 'code'
  story.red = null
  sayWhyNotFirst(state, story)
}

function sayWhyNotFirst(state: DeliveryState, { phase, spec }: StoryState): void {
  const policy = policyOf(state)
  const why = whyNotFirst(policy, spec)
  if (phase === 'code' && why !== null && comesFirst(spec.strategy ?? policy.strategy))
    raiseConcern(state, `tests are not written before the change: ${why}`)
}

/** Under other settings tests may not come first any more, or begin to: an attempt that has begun goes on as it is. */
export function rethinkPhase(state: DeliveryState, story: StoryState): void {
  if (story.control.status === 'waiting') beginPhase(state, story)
  else if (story.phase === 'tests' && !comesFirst(strategyOf(policyOf(state), story))) {
    story.phase = 'code'
    sayWhyNotFirst(state, story)
  }
}

/** Others than those who write the code write its tests. */
export const isWrittenByTestWriter = (policy: Policy, story: StoryState): boolean =>
  story.phase === 'tests' && strategyOf(policy, story) === 'three-session' && policy.roles.testWriter.length > 0

/** A third session judges what two have written. */
export const isVerified = (policy: Policy, story: StoryState): boolean =>
  story.phase === 'code' && story.red !== null && strategyOf(policy, story) === 'three-session'
