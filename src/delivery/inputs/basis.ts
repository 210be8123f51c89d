import type { WorkKind } from '../intent/context.ts'
import { workKindOf } from '../intent/meaning.ts'
import type { Story } from '../plan/plan.ts'
import type { Policy } from '../policy.ts'
import { type DeliveryState, policyOf, type Request, storyOf } from '../state.ts'

/** What every step is told: whose it is, what was requested, and the settings that it was pinned to. */
export interface Basis {
  delivery: string
  request: Request
  policy: Policy
}

export function basisOf(state: DeliveryState): Basis {
  if (state.request === null) throw new Error('broken invariant: nothing was requested yet')
  return { delivery: state.id, request: state.request, policy: policyOf(state) }
}

/** What commands of a delivery run by; also where no delivery stands behind them. */
export interface RunBasis {
  delivery: string
  request: Pick<Request, 'repository' | 'target' | 'base'>
  policy: Pick<Policy, 'setup' | 'workspace' | 'sandbox' | 'egress'>
}

/** The part of the delivery's state that may change while a step runs. */
export type Standing = Pick<DeliveryState, 'concerns' | 'money' | 'agentStarts'>

/** What the commits of a story say. */
export interface Authored extends Basis {
  spec: Story
  /** The kind of work, where the repository's own commits begin with it. */
  prefix: WorkKind | null
}

export function authoredOf(state: DeliveryState, { story }: { story: string }): Authored {
  const prefix = state.intent.context?.isPrefixed === true ? workKindOf(state.intent) : null
  return { ...basisOf(state), spec: storyOf(state, story).spec, prefix }
}
