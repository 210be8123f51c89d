import type { Policy } from '../../../delivery/policy.ts'
import { TerminalError } from '../../../ports/errors.ts'
import { type Facts, toPolicy } from '../../../settings/policy.ts'
import type { Settings } from '../../../settings/settings.ts'
import type { World } from '../../world.ts'
import { choiceText, staffed } from './auto.ts'
import { type Probe, prober } from './probe.ts'
import { sandboxProblem } from './sandbox.ts'

export interface Staff {
  policy: Policy
  /** What was settled on the way, such as what `auto` came to. */
  notes: string[]
}

type Asked = Pick<World, 'driver' | 'unconfinable'>

/** Who will work, and under which rules: by trying them, once, before anything is begun. */
export async function staff(
  world: Asked,
  given: Settings,
  { facts, planned, root }: { facts: Facts; planned: boolean; root: string },
): Promise<Staff> {
  const probe = prober(world, root)
  const { settings, choice } = await staffed(given, { probe, env: process.env })
  const policy = toPolicy(settings, facts)
  await refuseUnusable(probe, policy, neededFor(policy, planned))
  await refuseUnconfined(world, policy)
  return { policy, notes: choice === null ? [] : [choiceText(choice)] }
}

/** With a plan nobody plans, reads or doubts; findings are sorted by the planner where nobody else is named for it. */
function neededFor({ roles, review }: Policy, planned: boolean): string[] {
  const { planner, interpreter, challenger, triager, ...others } = roles
  const reviewers = review.reviewers.flatMap(({ agents }) => agents)
  const sorters = reviewers.length === 0 ? [] : triager.length > 0 ? triager : planner
  return [
    ...Object.values(others).flat(),
    ...reviewers,
    ...sorters,
    ...(planned ? [] : [...planner, ...interpreter, ...challenger]),
  ]
}

/** A missing program must not be found story by story. */
async function refuseUnusable(probe: Probe, { agents }: Policy, names: string[]): Promise<void> {
  const probed = await Promise.all([...new Set(names)].map((name) => probe(name, agents[name]!)))
  const problems = probed.flatMap((one) =>
    one.probe.usable ? [] : [`the agent ${one.name} cannot be used: ${one.probe.problem}. ${one.probe.remedy}`],
  )
  if (problems.length > 0)
    throw new TerminalError(problems.join('\n'), 'nothing was started; `ropewalk doctor` checks the rest')
}

/** What `auto` comes to is seen where something is run: this machine need not be the one that goes on with it. */
async function refuseUnconfined(world: Asked, policy: Policy): Promise<void> {
  if (policy.sandbox === 'none') return
  const refused = sandboxProblem(policy, await world.unconfinable())
  if (refused !== null) throw new TerminalError(refused.problem, refused.remedy)
}
