import { TerminalError } from '../../ports/errors.ts'
import { auto, products } from '../../settings/drivers.ts'
import { plainAgent } from '../../settings/load.ts'
import { agentPolicy } from '../../settings/policy.ts'
import type { AgentSettings, ApiSettings, Settings } from '../../settings/settings.ts'
import type { Probe, Probed } from './probe.ts'

type Env = Record<string, string | undefined>

interface Staffed {
  /** Without `auto`: the agent that it stands for is in its place. */
  settings: Settings
  /** What `auto` came to; null where nobody asked for it. */
  choice: { picked: Probed; passed: Probed[] } | null
}

/** The first agent that can be used, and of which the user has chosen whom its model is asked of, takes the place of `auto`. */
export async function staffed(settings: Settings, { probe, env }: { probe: Probe; env: Env }): Promise<Staffed> {
  if (!wantsAuto(settings)) return { settings, choice: null }
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
    settings: withAgent(settings, name, agent),
    choice: { picked, passed: tried.slice(0, tried.indexOf(picked)) },
  }
}

/** Of those that were tried, in their order. */
export const autoPick = (tried: Probed[]): Probed | null => tried.find(isSignedIn) ?? null

const isSignedIn = (one: Probed | undefined): boolean =>
  one?.probe.usable === true && typeof one.probe.signedIn === 'string'

const wantsAuto = ({ roles }: Settings): boolean => Object.values(roles).flat().includes(auto)

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

function withAgent(settings: Settings, name: string, agent: AgentSettings): Settings {
  const named = (chain: string[]): string[] => chain.map((one) => (one === auto ? name : one))
  const { interpreter, challenger, ...chains } = settings.roles
  return {
    ...settings,
    agents: { ...settings.agents, [name]: agent },
    roles: {
      ...(Object.fromEntries(Object.entries(chains).map(([role, chain]) => [role, named(chain)])) as typeof chains),
      interpreter: interpreter === null ? null : named(interpreter),
      challenger: challenger === null ? null : named(challenger),
    },
  }
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
