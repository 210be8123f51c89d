import { type AgentPolicy, isOwnProgram, type Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement } from '../../ports/shell.ts'
import type { StepWorld } from '../world.ts'
import type { Asking } from './transcript.ts'

/** What an agent may touch: its workspace, and what its driver adds. `named`: what its prompt tells it to read. */
export function confinementOf(
  world: Pick<StepWorld, 'secretPlaces' | 'guardedPlaces' | 'tools'>,
  { egress }: Policy,
  { workspace, named }: { workspace: string; named: string[] },
): Confinement {
  return {
    write: [workspace],
    // Its own is shown again; what others were told or have answered is neither to be read nor to be written.
    hide: [world.tools.ours, ...world.secretPlaces],
    show: [],
    guard: world.guardedPlaces,
    bare: [world.tools.home],
    kept: [...world.tools.places(), ...named],
    network: egress === 'open',
  }
}

/** The machine that a delivery began on, or its bubblewrap, need not be the one that it goes on with. */
export function refuseFree({ sandbox }: Policy, agent: AgentPolicy, confined: boolean): void {
  if (confined || sandbox === 'none' || agent.permissions !== 'bypass' || isOwnProgram(agent)) return
  throw new TerminalError(
    'an agent that works without asking cannot be confined on this machine any more',
    'Make bubblewrap work again (`ropewalk doctor` says what is wrong), or set `sandbox: none` and resume with --repin.',
  )
}

/** A home of its own keeps an agent to itself only as far as it is confined: what it may have read besides is told. */
export async function tellStray(
  { world, step, standing, record }: Asking,
  { policy, workspace }: { policy: AgentPolicy; workspace: string },
): Promise<void> {
  if (isOwnProgram(policy) || policy.options.home === 'user') return
  const stray = world.strayInstructions(workspace)
  const text = `${step.agent} is not confined, and may have read instructions that are not its own: ${stray.join(', ')}`
  if (stray.length === 0 || standing().concerns.includes(text)) return
  await record({ type: 'ConcernRaised', story: null, text })
}
