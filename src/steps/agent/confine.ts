import type { Policy } from '../../delivery/policy.ts'
import type { Confinement } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'

/** What an agent may touch: its workspace, and what its driver adds. */
export function confinementOf(
  world: Pick<StepWorld, 'secretPlaces' | 'guardedPlaces'>,
  { egress }: Policy,
  { workspace, answers }: { workspace: string; answers: string },
): Confinement {
  return {
    write: [workspace],
    // Its own is shown again; what others have answered is neither to be read nor to be written.
    hide: [...world.secretPlaces, answers],
    show: [],
    guard: world.guardedPlaces,
    network: egress === 'open',
  }
}
