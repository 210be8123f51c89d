import type { Outcome } from '../delivery/events.ts'
import type { CompleteDelivery } from '../delivery/step.ts'
import type { Performance } from '../ports/performer.ts'
import { recordAbandonedTurns } from './agent/lost-turns.ts'
import { repositoryFor } from './place/request.ts'
import type { StepWorld } from './world.ts'

export async function completeDelivery(world: StepWorld, performance: Performance<CompleteDelivery>): Promise<Outcome> {
  const { state, step } = performance
  const { id, result, reason, concerns } = step
  await recordAbandonedTurns(world, performance)
  // Nothing is proven any more. What cannot be removed, or only later, gc finds.
  const repository = repositoryFor(world, state)
  await Promise.allSettled([repository.then((open) => open.removePlaces(world.places.cleanFolder(state.id)))])
  return { type: 'DeliveryCompleted', step: id, result, reason, concerns }
}
