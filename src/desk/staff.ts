import { countsOnlyDollars, howToCount, isUnsaid, unknownPrice } from '../delivery/money/ledger.ts'
import { type AgentPolicy, isOwnProgram, type Policy, tellsPrice } from '../delivery/policy.ts'
import type { AgentProbe } from '../ports/agent-driver.ts'
import { TerminalError } from '../ports/errors.ts'
import type { Prices } from '../ports/prices.ts'
import { auto, products } from '../settings/drivers.ts'
import { plainAgent } from '../settings/load.ts'
import { agentPolicy, type Facts, toPolicy } from '../settings/policy.ts'
import type { AgentSettings, ApiSettings, Settings } from '../settings/settings.ts'
import type { DeskWorld } from './world.ts'

/**
 * Who will work, and under which rules: by trying them, once, before anything is begun. `notes`: what was settled on the
 * way, such as what `auto` came to. `warnings`: who was left out.
 */
export async function staff(
  world: Pick<DeskWorld, 'driver' | 'env' | 'unconfinable'>,
  given: Settings,
  { facts, planned, root }: { facts: Facts; planned: boolean; root: string },
): Promise<{ policy: Policy; notes: string[]; warnings: string[] }> {
  const probe = prober(world, root)
  const { settings, choice } = await staffed(given, { probe, env: world.env })
  const { policy, warnings } = await withUsable(probe, settings, { facts, planned })
  // What `auto` comes to is seen where something is run: this machine need not be the one that goes on with it.
  const refused = policy.sandbox === 'none' ? null : sandboxProblem(policy, await world.unconfinable())
  if (refused !== null) throw refused
  return { policy, notes: choice === null ? [] : [choiceText(choice)], warnings }
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
 * without the one that cannot; seats that nobody is named for are then settled among those who are left.
 */
async function withUsable(
  probe: Probe,
  settings: Settings,
  { facts, planned }: { facts: Facts; planned: boolean },
): Promise<{ policy: Policy; warnings: string[] }> {
  const whole = toPolicy(settings, facts)
  const names = [...new Set(Object.values(neededFor(whole, planned)).flat())]
  const probed = await Promise.all(names.map((name) => probe(name, whole.agents[name]!)))
  const problems = new Map(
    probed.flatMap(({ name, probe }) => (probe.usable ? [] : [[name, `${probe.problem}. ${probe.remedy}`]])),
  )
  const isFree = (name: string): boolean => !problems.has(name)
  // A chain that nobody needs now has not been tried, and is left as it is.
  const free = (chain: string[]): string[] => (chain.some(isFree) ? chain.filter(isFree) : chain)
  const policy = problems.size === 0 ? whole : toPolicy(withChains(settings, free), facts)
  refuseStuck(policy, planned, problems)
  const warnings = [...problems].map(
    ([name, text]) => `the agent ${name} cannot be used, so the delivery begins without it: ${text}`,
  )
  if (policy.review.reviewers.length === 0 && whole.review.reviewers.length > 0)
    warnings.push('nobody who is left can review, so no reviewer will look at the work')
  return { policy, warnings }
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

/** The settings with each chain of agents as it is changed. */
function withChains(settings: Settings, changed: (chain: string[]) => string[]): Settings {
  const roles = Object.entries(settings.roles).map(([role, chain]) => [role, chain && changed(chain)])
  const reviewers = settings.review.reviewers?.map((one) => ({ ...one, agents: changed(one.agents) })) ?? null
  return { ...settings, roles: Object.fromEntries(roles), review: { ...settings.review, reviewers } }
}

/** Agents of the roles. */
export const agentsAtWork = ({ roles }: Pick<Policy, 'roles'>): string[] => [...new Set(Object.values(roles).flat())]

/** Agents that ask nobody must be confined, unless somebody has said that they need not be. */
export function sandboxProblem(policy: Policy, unconfinable: string | null): TerminalError | null {
  if (unconfinable === null || policy.sandbox === 'none') return null
  const names = agentsAtWork(policy).filter((name) => !isOwnProgram(policy.agents[name]!))
  const free = names.filter((name) => policy.agents[name]?.permissions === 'bypass')
  if (policy.sandbox === 'auto' && free.length === 0) return null
  const who = [...(free.length === 0 ? names : free), ...(policy.sandbox === 'bwrap' ? ['checks'] : [])]
  return new TerminalError(
    `agents cannot be confined on this machine: ${unconfinable}; unconfined, ${who.join(' and ')} could do whatever you can`,
    'install bubblewrap (Linux), or set `sandbox: none` if agents may work as freely as you',
  )
}

interface Staffed {
  /** Without `auto`: the agent that it stands for is in its place. */
  settings: Settings
  /** What `auto` came to; null where nobody asked for it. */
  choice: { picked: Probed; passed: Probed[] } | null
}

/** The first agent that can be used, and of which the user has chosen whom its model is asked of, takes the place of `auto`. */
export async function staffed(settings: Settings, { probe, env }: { probe: Probe; env: Env }): Promise<Staffed> {
  if (!Object.values(settings.roles).flat().includes(auto)) return { settings, choice: null }
  const candidates = autoCandidates(settings, env)
  const tried: Probed[] = []
  for (const [name, agent] of candidates) {
    tried.push(await probe(name, agentPolicy(agent)))
    if (isSignedIn(tried.at(-1))) break
  }
  const picked = autoPick(tried)
  if (picked === null) throw nobody(tried)
  const [name, agent] = candidates[tried.indexOf(picked)]!
  return {
    settings: withChains({ ...settings, agents: { ...settings.agents, [name]: agent } }, (chain) =>
      chain.map((one) => (one === auto ? name : one)),
    ),
    choice: { picked, passed: tried.slice(0, tried.indexOf(picked)) },
  }
}

/** Of those that were tried, in their order. */
export const autoPick = (tried: Probed[]): Probed | null => tried.find(isSignedIn) ?? null

const isSignedIn = (one: Probed | undefined): boolean =>
  one?.probe.usable === true && typeof one.probe.signedIn === 'string'

type Env = DeskWorld['env']

/** In the order in which they are tried: the products, then our own agent with a key that is there. */
export function autoCandidates(settings: Settings, env: Env): [string, AgentSettings][] {
  const known = products.map((name): [string, AgentSettings] => [name, settings.agents[name] ?? plainAgent(name)])
  const ours = settings.agents.builtin ?? builtinWith(env)
  return ours === null ? known : [...known, ['builtin', ours]]
}

const services: { api: ApiSettings; model: string }[] = [
  { api: { type: 'anthropic', url: null, key: 'ANTHROPIC_API_KEY' }, model: 'claude-sonnet-4-5' },
  { api: { type: 'openai', url: null, key: 'OPENAI_API_KEY' }, model: 'gpt-5' },
  { api: { type: 'google', url: null, key: 'GEMINI_API_KEY' }, model: 'gemini-2.5-pro' },
]

function builtinWith(env: Env): AgentSettings | null {
  const service = services.find(({ api }) => Boolean(env[api.key ?? '']))
  if (service === undefined) return null
  return { ...plainAgent('builtin'), api: service.api, models: { powerful: service.model } }
}

/** Our own agent needs no installing, so it is told of where nobody has given it a key. */
const keyless: Probed = {
  name: 'builtin',
  driver: 'builtin',
  probe: {
    usable: false,
    version: null,
    problem: 'there is no key',
    remedy: `Set ${services.map(({ api }) => api.key).join(', ')}, or name a local model in ropewalk.yaml.`,
  },
}

/** Those that were tried, and always our own. */
export const withOurs = (tried: Probed[]): Probed[] =>
  tried.some(({ name }) => name === keyless.name) ? tried : [...tried, keyless]

function nobody(passed: Probed[]): TerminalError {
  return new TerminalError(
    [
      'no agent can be used:',
      ...withOurs(passed).map(({ name, probe }) =>
        probe.usable
          ? `  ${name}: ${unsure}. Sign in, or name it under roles: in ropewalk.yaml.`
          : `  ${name}: ${probe.problem}. ${probe.remedy}`,
      ),
    ].join('\n'),
    'make one of them usable, or name your own under agents: in ropewalk.yaml; `ropewalk agents` looks again',
  )
}

/** It might send the code to a service that nobody has chosen. */
const unsure = 'it is not known whether somebody is signed in'

/** What was chosen, by what, and why not those that come before it. */
export function choiceText({ picked: { name, probe }, passed }: NonNullable<Staffed['choice']>): string {
  const version = probe.version === null ? '' : ` ${probe.version}`
  const by = probe.usable && probe.signedIn ? [`signed in by ${probe.signedIn}`] : []
  const others = passed.map((one) => `not ${one.name}: ${one.probe.usable ? unsure : one.probe.problem}`)
  return `auto is ${name}${version} (${[...by, ...others].join('; ')})`
}

export type Probed = { name: string; driver: string; probe: AgentProbe }
export type Probe = (name: string, agent: AgentPolicy) => Promise<Probed>

/** How long it may take to say something. A busy machine is given more time before anything is said of the agent. */
const patienceMs = [20_000, 90_000]

/** Tries agents where they would work; each only once. */
export function prober(world: Pick<DeskWorld, 'driver'>, root: string): Probe {
  const probed = new Map<string, Promise<Probed>>()
  return (name, agent) => {
    const known = probed.get(name) ?? tried(world, agent, root).then((probe) => named(name, agent, probe))
    probed.set(name, known)
    return known
  }
}

/** Its name is said by whoever tells the problem. */
function named(name: string, { driver }: AgentPolicy, probe: AgentProbe): Probed {
  if (probe.usable || !probe.problem.startsWith(`${name}: `)) return { name, driver, probe }
  return { name, driver, probe: { ...probe, problem: probe.problem.slice(name.length + 2) } }
}

async function tried(world: Pick<DeskWorld, 'driver'>, agent: AgentPolicy, root: string): Promise<AgentProbe> {
  if (agent.driver === 'builtin' && Object.keys(agent.models).length === 0)
    return unusable('no model is named for it', 'Name one with models, such as models: { powerful: … }.')
  try {
    const driver = await world.driver(agent.driver)
    for (const timeoutMs of patienceMs) {
      const probe = await driver.probe(agent.options, root, timeoutMs)
      if (probe.usable || probe.late === undefined) return signedIn(probe)
    }
    return { usable: true, version: null, signedIn: null, notes: [lateText] }
  } catch (error) {
    if (!(error instanceof TerminalError)) throw error
    return unusable(error.message, error.remedy)
  }
}

const lateText = `it did not answer within ${patienceMs.at(-1)! / 1000} s, so it is not known whether it works`

/** Who has to sign in first cannot work. */
function signedIn(probe: AgentProbe): AgentProbe {
  if (!probe.usable || probe.signedIn !== false) return probe
  const { version, notes } = probe
  return {
    usable: false,
    version,
    problem: 'it is not signed in',
    remedy: notes[0] ?? 'Sign in with its own program.',
  }
}

const unusable = (problem: string, remedy: string): AgentProbe => ({ usable: false, version: null, problem, remedy })

interface Unpriced {
  agent: string
  model: string
  /** As in the settings: a tier, or `cheaper`. */
  tier: string
}

/** Models without a price: their money cannot be counted, and perhaps their names are wrong. */
export async function unpricedWarnings(policy: Policy, prices: () => Promise<Prices>): Promise<string[]> {
  return (await unpricedIn(policy, prices)).map(({ agent, model, tier }) => {
    const { reserveUsd } = policy.agents[agent]!
    const counts =
      reserveUsd === 0
        ? 'what its turns cost will be unknown (set reserveUsd: what a turn counts as)'
        : `each turn counts as the ${reserveUsd} USD of reserveUsd`
    return `agents.${agent}: no price is known for the model ${model} (${tier}; is it spelled right?); ${counts}`
  })
}

/** A ceiling that would do nothing is refused. */
export async function refuseUnpriced(policy: Policy, prices: () => Promise<Prices>): Promise<void> {
  if (!countsOnlyDollars(policy.ceilings)) return
  const found = (await unpricedIn(policy, prices)).filter(({ agent }) => isUnsaid(policy.agents[agent]))
  if (found.length === 0) return
  const remedies = [...new Set(found.map(({ agent }) => agent))].map(howToCount)
  throw new TerminalError(found.map(unknownPrice).join('\n'), `${remedies.join('\n')}; or is the name wrong?`)
}

async function unpricedIn(policy: Policy, prices: () => Promise<Prices>): Promise<Unpriced[]> {
  const found: Unpriced[] = []
  for (const agent of agentsAtWork(policy)) {
    const known = policy.agents[agent]
    if (known === undefined || tellsPrice(known) || known.free) continue
    const named = Object.entries({ ...known.models, ...(known.cheaper === null ? {} : { cheaper: known.cheaper }) })
    for (const model of new Set(named.map(([, name]) => name)))
      if (!(await isListed(await prices(), model)))
        found.push({ agent, model, tier: named.flatMap(([tier, name]) => (name === model ? [tier] : [])).join(', ') })
  }
  return found
}

const isListed = async (prices: Prices, model: string): Promise<boolean> =>
  (await prices.usd({ model, usage: { inputTokens: 1, outputTokens: 1, cachedTokens: 0 }, at: Date.now() })) !== null
