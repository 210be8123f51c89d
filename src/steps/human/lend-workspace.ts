import type { Outcome } from '../../delivery/events.ts'
import type { LendWorkspace } from '../../delivery/plan/steps.ts'
import type { Performance } from '../../ports/performer.ts'
import { holding } from '../place/hold.ts'
import { repositoryFor } from '../place/request.ts'
import { openWorkspace } from '../place/workspace.ts'
import type { StepWorld } from '../world.ts'

/** A workspace in which a human can begin: the last work that there is, with its dependencies ready. */
export async function lendWorkspace(world: StepWorld, performance: Performance<LendWorkspace>): Promise<Outcome> {
  const { state, step } = performance
  const repository = await repositoryFor(world, state)
  const path = world.places.workspace(state.id, step.story, step.attempt)
  await holding(world, { performance, place: path }, () =>
    openWorkspace(world, performance, { repository, path, keep: false }),
  )
  return { type: 'WorkspaceLent', step: step.id, story: step.story, path }
}
