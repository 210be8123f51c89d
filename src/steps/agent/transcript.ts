import type { AgentStep } from '../../delivery/step.ts'
import type { Performance } from '../../ports/performer.ts'
import type { StepWorld } from '../world.ts'

/** Where everything is that the agent printed in one turn of a try: the first, or the n-th time it was asked again. */
export const transcriptOf = (
  world: StepWorld,
  { state, step }: Performance<AgentStep>,
  { try: number, again }: { try: number; again: number },
): string => world.places.spool(state.id, `${step.id}-${number}${again === 0 ? '' : `.${again}`}.transcript`)
