// What the checks show of the base, before anybody is paid for changing it.
import { hashOf } from '../../std/hash.ts'
import type { Instant } from '../ids.ts'
import type { DeliveryState } from '../state.ts'
import { policyOf, storiesOf } from '../state.ts'
import type { TryBase } from '../step.ts'
import { isSettled } from '../story/story.ts'
import { identified } from './step-id.ts'

/** The step that finds it out, as long as that is of use to anybody. */
export function baseStep(state: DeliveryState): TryBase | null {
  const { request, plan, trouble } = state
  if (request === null || request.review !== null || isBaseTried(state)) return null
  if (plan.control.status === 'approved' && storiesOf(state).every(isSettled)) return null
  const step = identified({ verb: 'TryBase', story: null, base: request.base, checks: checksKey(state) } as const)
  return trouble !== null && state.running[step.id] === undefined ? null : step
}

/** Under these commands it is known, or somebody has said to go on without. */
export const isBaseTried = (state: DeliveryState): boolean =>
  policyOf(state).checks.length === 0 || state.baseTried === checksKey(state)

/** Other commands show something else. */
export function checksKey(state: DeliveryState): string {
  const { checks, setup } = policyOf(state)
  return hashOf([
    setup?.run ?? null,
    checks.map(({ name, run, parser, report, packages, needs }) => [name, run, parser, report, packages, needs]),
  ])
}

/** A command that cannot start says so at once; nobody waits for a long suite. */
const graceMs = 10_000

/** Until when coders wait for it: for its start (null), or for what it says soon after; undefined: they do not wait. */
export function baseAwaited(state: DeliveryState, at: Instant): Instant | null | undefined {
  const step = baseStep(state)
  if (step === null) return undefined
  const started = state.running[step.id]
  if (started === undefined) return null
  return started.at + graceMs > at ? started.at + graceMs : undefined
}

/** The world has said no to a step of the delivery as a whole. */
export const isRefused = (state: DeliveryState): boolean => state.trouble !== null && !isStopped(state)

/** The machine or the settings are at fault: whatever is begun now would fail for it. */
export const isStopped = ({ trouble }: DeliveryState): boolean => trouble?.environment === true
