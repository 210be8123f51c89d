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
  /** Who was left out. */
  warnings: string[]
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
  const { policy, left } = await withUsable(probe, toPolicy(settings, facts), planned)
  await refuseUnconfined(world, policy)
  return { policy, notes: choice === null ? [] : [choiceText(choice)], warnings: left }
}

/** With a plan nobody plans, reads or doubts; findings are sorted by the planner where nobody else is named for it. */
function neededFor({ roles, review }: Policy, planned: boolean): Record<string, string[]> {
  const { planner, interpreter, challenger, triager, ...others } = roles
  const seats = review.reviewers.map(({ vantage, agents }, i) => [`reviewer ${i + 1} (${vantage})`, agents])
  const sorters = seats.length === 0 ? {} : triager.length > 0 ? { triager } : { planner }
  return {
    ...others,
    ...sorters,
    ...(planned ? {} : { planner, interpreter, challenger }),
    ...Object.fromEntries(seats),
  }
}

/**
 * A missing program must not be found story by story. Where another of the same chain can do it, the delivery begins
 * without the one that cannot.
 */
async function withUsable(probe: Probe, policy: Policy, planned: boolean): Promise<{ policy: Policy; left: string[] }> {
  const chains = neededFor(policy, planned)
  const names = [...new Set(Object.values(chains).flat())]
  const probed = await Promise.all(names.map((name) => probe(name, policy.agents[name]!)))
  const problems = new Map(
    probed.flatMap((one) => (one.probe.usable ? [] : [[one.name, problemText(one.name, one.probe)]])),
  )
  const isFree = (name: string): boolean => !problems.has(name)
  const stuck = Object.entries(chains).filter(([, chain]) => chain.length > 0 && !chain.some(isFree))
  const seats = stuck.map(([seat]) => seat).join(', ')
  if (stuck.length > 0)
    throw new TerminalError(
      [...new Set(stuck.flatMap(([, chain]) => chain))]
        .map((name) => `${problems.get(name)} Nobody else can be ${seats}.`)
        .join('\n'),
      'nothing was started; `ropewalk doctor` checks the rest',
    )
  const left = [...problems.values()].map((text) => `${text} The delivery begins without it: others can do its work.`)
  return { policy: left.length === 0 ? policy : withOnly(policy, isFree), left }
}

const problemText = (name: string, { problem, remedy }: { problem: string; remedy: string }): string =>
  `the agent ${name} cannot be used: ${problem}. ${remedy}`

function withOnly({ roles, review, ...policy }: Policy, isFree: (name: string) => boolean): Policy {
  // A chain that nobody needs now has not been tried, and is left as it is.
  const free = (chain: string[]): string[] => (chain.some(isFree) ? chain.filter(isFree) : chain)
  const chains = Object.entries(roles).map(([role, chain]) => [role, free(chain)])
  const reviewers = review.reviewers.map((one) => ({ ...one, agents: free(one.agents) }))
  return { ...policy, roles: Object.fromEntries(chains), review: { ...review, reviewers } }
}

/** What `auto` comes to is seen where something is run: this machine need not be the one that goes on with it. */
async function refuseUnconfined(world: Asked, policy: Policy): Promise<void> {
  if (policy.sandbox === 'none') return
  const refused = sandboxProblem(policy, await world.unconfinable())
  if (refused !== null) throw new TerminalError(refused.problem, refused.remedy)
}
