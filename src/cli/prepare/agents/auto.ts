import { TerminalError } from '../../../ports/errors.ts'
import { plainAgent } from '../../../settings/defaults.ts'
import { auto, products } from '../../../settings/drivers.ts'
import { agentPolicy } from '../../../settings/policy.ts'
import type { AgentSettings, ApiSettings, Settings } from '../../../settings/settings.ts'
import type { Probe, Probed } from './probe.ts'

type Env = Record<string, string | undefined>

export interface Staffed {
  /** Without `auto`: the agent that it stands for is in its place. */
  settings: Settings
  /** What `auto` came to; null where nobody asked for it. */
  choice: { picked: Probed; passed: Probed[] } | null
}

/** The first agent that can be used takes the place of `auto`. */
export async function staffed(settings: Settings, { probe, env }: { probe: Probe; env: Env }): Promise<Staffed> {
  if (!wantsAuto(settings)) return { settings, choice: null }
  const passed: Probed[] = []
  for (const [name, agent] of autoCandidates(settings, env)) {
    const probed = await probe(name, agentPolicy(agent))
    if (probed.probe.usable) return { settings: withAgent(settings, name, agent), choice: { picked: probed, passed } }
    passed.push(probed)
  }
  throw nobody(passed)
}

export const wantsAuto = ({ roles }: Settings): boolean => [...roles.coder, ...roles.planner].includes(auto)

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
  const { coder, planner } = settings.roles
  return {
    ...settings,
    agents: { ...settings.agents, [name]: agent },
    roles: { coder: named(coder), planner: named(planner) },
  }
}

function nobody(passed: Probed[]): TerminalError {
  const keys = services.map(({ api }) => api.key).join(', ')
  return new TerminalError(
    [
      'no agent can be used:',
      ...passed.map((one) => `  ${unusableText(one)}`),
      ...(passed.some(({ name }) => name === 'builtin') ? [] : [`  builtin: there is no key. Set one of ${keys}.`]),
    ].join('\n'),
    'make one of them usable, or name your own under agents: in ropewalk.yaml; `ropewalk agents` looks again',
  )
}

export function unusableText({ name, probe }: Probed): string {
  return probe.usable ? `${name}: it can be used` : `${name}: ${probe.problem}. ${probe.remedy}`
}

/** What was chosen, and why not those that come before it. */
export function choiceText({ picked, passed }: NonNullable<Staffed['choice']>): string {
  const version = picked.probe.version === null ? '' : ` ${picked.probe.version}`
  const others = passed.map(({ name, probe }) => (probe.usable ? name : `${name}: ${probe.problem}`))
  return `auto is ${picked.name}${version}${others.length === 0 ? '' : ` (not ${others.join('; not ')})`}`
}
