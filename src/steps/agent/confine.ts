import { lstatSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AgentPolicy, isOwnProgram, type Policy } from '../../delivery/policy.ts'
import type { AgentStep } from '../../delivery/step.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Confinement } from '../../ports/shell.ts'
import { isToolsOwn, ownFiles } from '../../proof/files/own-file.ts'
import { coversAny } from '../../std/glob.ts'
import type { StepWorld } from '../world.ts'
import type { Asking } from './transcript.ts'

/** What an agent may touch: its workspace, and what its driver adds. `named`: what its prompt tells it to read. */
export function agentConfinement(
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

/** What a product does to its own files in the repository, unasked, is no work of whoever uses it: it is put back and told. */
export async function putBackOwnFiles(work: Asking, workspace: string): Promise<void> {
  const { input, step, standing, record, repository } = work
  // A story that may change such a file may be about that very line.
  const found = ownFiles.filter(({ path }) => isWithin(workspace, path) && !coversAny(input.mayChange, path))
  for (const { path, keys } of found) {
    const before = await repository.readFile(commitOf(step), path)
    const after = readFileSync(join(workspace, path), 'utf8')
    if (before === after || !isToolsOwn({ before, after, keys })) continue
    if (before === null) rmSync(join(workspace, path))
    else writeFileSync(join(workspace, path), before)
    const text = `${step.agent} rewrote ${path} unasked, as its product does whenever it starts (${keys.join(', ')}); it was put back`
    if (!standing().concerns.includes(text)) await record({ type: 'ConcernRaised', story: step.story, text })
  }
}

/** What its workspace began with. */
function commitOf(step: AgentStep): string {
  if ('from' in step) return step.from
  return 'commit' in step ? step.commit : step.base
}

/** A plain file, and no link on the way that leads out. */
function isWithin(workspace: string, path: string): boolean {
  const file = join(workspace, path)
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false
  return realpathSync(dirname(file)) === join(realpathSync(workspace), dirname(path))
}
