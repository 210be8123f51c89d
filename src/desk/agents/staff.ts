import { isOwnProgram, type Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import { type Facts, toPolicy } from '../../settings/policy.ts'
import type { Settings } from '../../settings/settings.ts'
import type { DeskWorld } from '../world.ts'
import { choiceText, staffed } from './auto.ts'
import { type Probe, prober } from './probe.ts'

interface Staff {
  policy: Policy
  /** What was settled on the way, such as what `auto` came to. */
  notes: string[]
  /** Who was left out. */
  warnings: string[]
}

type Asked = Pick<DeskWorld, 'driver' | 'env' | 'unconfinable'>

/** Who will work, and under which rules: by trying them, once, before anything is begun. */
export async function staff(
  world: Asked,
  given: Settings,
  { facts, planned, root }: { facts: Facts; planned: boolean; root: string },
): Promise<Staff> {
  const probe = prober(world, root)
  const { settings, choice } = await staffed(given, { probe, env: world.env })
  const policyOf = (named: Settings): Policy => toPolicy(named, facts)
  const { policy, left } = await withUsable(probe, { settings, policyOf, planned })
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

interface Wanted {
  settings: Settings
  policyOf: (settings: Settings) => Policy
  planned: boolean
}

/**
 * A missing program must not be found story by story. Where another of the same chain can do it, the delivery begins
 * without the one that cannot; seats that nobody is named for are then settled among those who are left.
 */
async function withUsable(
  probe: Probe,
  { settings, policyOf, planned }: Wanted,
): Promise<{ policy: Policy; left: string[] }> {
  const whole = policyOf(settings)
  const names = [...new Set(Object.values(neededFor(whole, planned)).flat())]
  const probed = await Promise.all(names.map((name) => probe(name, whole.agents[name]!)))
  const problems = new Map(probed.flatMap((one) => (one.probe.usable ? [] : [[one.name, problemText(one.probe)]])))
  const isFree = (name: string): boolean => !problems.has(name)
  const policy = problems.size === 0 ? whole : policyOf(withOnly(settings, isFree))
  refuseStuck(policy, planned, problems)
  const left = [...problems].map(
    ([name, text]) => `the agent ${name} cannot be used, so the delivery begins without it: ${text}`,
  )
  const unread = policy.review.reviewers.length === 0 && whole.review.reviewers.length > 0
  return {
    policy,
    left: unread ? [...left, 'nobody who is left can review, so no reviewer will look at the work'] : left,
  }
}

function refuseStuck(policy: Policy, planned: boolean, problems: Map<string, string>): void {
  const chains = Object.entries(neededFor(policy, planned))
  const stuck = chains.filter(([, chain]) => chain.length > 0 && chain.every((name) => problems.has(name)))
  if (stuck.length === 0) return
  const seats = stuck.map(([seat]) => seat).join(', ')
  throw new TerminalError(
    [...new Set(stuck.flatMap(([, chain]) => chain))]
      .map((name) => `the agent ${name} cannot be used, and nobody else can be ${seats}: ${problems.get(name)}`)
      .join('\n'),
    'nothing was started; `ropewalk doctor` checks the rest',
  )
}

const problemText = ({ problem, remedy }: { problem: string; remedy: string }): string => `${problem}. ${remedy}`

function withOnly(settings: Settings, isFree: (name: string) => boolean): Settings {
  // A chain that nobody needs now has not been tried, and is left as it is.
  const free = (chain: string[]): string[] => (chain.some(isFree) ? chain.filter(isFree) : chain)
  const roles = Object.entries(settings.roles).map(([role, chain]) => [role, chain && free(chain)])
  const reviewers = settings.review.reviewers?.map((one) => ({ ...one, agents: free(one.agents) })) ?? null
  return {
    ...settings,
    roles: Object.fromEntries(roles),
    review: { ...settings.review, reviewers },
  }
}

/** What `auto` comes to is seen where something is run: this machine need not be the one that goes on with it. */
async function refuseUnconfined(world: Asked, policy: Policy): Promise<void> {
  if (policy.sandbox === 'none') return
  const refused = sandboxProblem(policy, await world.unconfinable())
  if (refused !== null) throw new TerminalError(refused.problem, refused.remedy)
}

interface Refusal {
  problem: string
  remedy: string
}

/** Agents of the roles. */
export const agentsAtWork = ({ roles }: Pick<Policy, 'roles'>): string[] => [...new Set(Object.values(roles).flat())]

/** Agents that ask nobody must be confined, unless somebody has said that they need not be. */
export function sandboxProblem(policy: Policy, unconfinable: string | null): Refusal | null {
  if (unconfinable === null || policy.sandbox === 'none') return null
  const names = agentsAtWork(policy).filter((name) => !isOwnProgram(policy.agents[name]!))
  const free = names.filter((name) => policy.agents[name]?.permissions === 'bypass')
  if (policy.sandbox === 'auto' && free.length === 0) return null
  const who = [...(free.length === 0 ? names : free), ...(policy.sandbox === 'bwrap' ? ['checks'] : [])]
  return {
    problem: `agents cannot be confined on this machine: ${unconfinable}; unconfined, ${who.join(' and ')} could do whatever you can`,
    remedy: 'install bubblewrap (Linux), or set `sandbox: none` if agents may work as freely as you',
  }
}
