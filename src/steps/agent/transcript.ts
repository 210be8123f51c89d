import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

/** Where everything is that the agent printed in one try of the step. */
export const transcriptOf = (world: StepWorld, { state, step }: Performance<AgentStep>, number: number): string =>
  world.places.spool(state.id, `${step.id}-${number}.transcript`)
