import { hashOf } from '../../std/hash.ts'
import type { Who } from '../ids.ts'
import type { Policy } from '../policy.ts'

/** Whose models think alike: by the model's name, else by what drives the agent. Only to prefer others, never to refuse. */
export function familyOf({ agents }: Policy, { agent, model }: Who): string {
  const named = byName(model ?? '')
  if (named !== null) return named
  const { driver, options } = agents[agent] ?? { driver: '', options: {} }
  return makers[driver] ?? byService(options) ?? (driver === 'opencode' || driver === 'copilot' ? driver : agent)
}

/** Of the agents that have models of one maker only. */
const makers: Record<string, string> = { claude: 'anthropic', codex: 'openai', gemini: 'google', qwen: 'qwen' }

const names: [family: string, name: RegExp][] = [
  ['anthropic', /claude|\b(opus|sonnet|haiku)\b/],
  ['openai', /\bgpt|\bchatgpt|\bcodex|\bo[1-9]\b/],
  ['google', /gemini|gemma/],
  ['qwen', /\bqw(en|q)/],
  ['meta', /llama/],
  ['mistral', /mistral|codestral|devstral|magistral/],
  ['deepseek', /deepseek/],
  ['moonshot', /kimi|moonshot/],
  ['zhipu', /\bglm/],
  ['xai', /\bgrok/],
]

const byName = (model: string): string | null =>
  names.find(([, pattern]) => pattern.test(model.toLowerCase()))?.[0] ?? null

function byService({ api }: Record<string, unknown>): string | null {
  if (typeof api !== 'object' || api === null || !('type' in api)) return null
  return api.type === 'compatible' ? hashOf(api) : String(api.type)
}
