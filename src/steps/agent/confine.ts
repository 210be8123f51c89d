import type { Policy } from '../../delivery/policy.ts'
import type { Confinement } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'

/** Commands of the user's own and scripts are trusted as the user's own work is. */
const trusted = ['command', 'scripted']

/** What an agent may touch: its workspace, and what its driver adds. */
export function confinementOf(
  world: Pick<StepWorld, 'secretPlaces' | 'guardedPlaces'>,
  { sandbox, egress }: Policy,
  { driver, workspace, answers }: { driver: string; workspace: string; answers: string },
): Confinement | null {
  if (sandbox === 'none' || trusted.includes(driver)) return null
  return {
    write: [workspace],
    // Its own is shown again; what others have answered is neither to be read nor to be written.
    hide: [...world.secretPlaces, answers],
    show: [],
    guard: world.guardedPlaces,
    network: egress === 'open',
  }
}
