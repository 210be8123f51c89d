import { hashOf } from '../../std/hash.ts'
import type { Who } from '../ids.ts'
import type { AgentPolicy, Policy } from '../policy.ts'

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

/** In tokens, by how the name of a model begins; the smallest that models of this name have had. */
const windows: [RegExp, number][] = [
  [/claude/, 200_000],
  [/gpt-|codex|\bo[134]\b/, 200_000],
  [/gemini/, 1_000_000],
  [/qwen|deepseek|kimi|glm|grok|mistral|devstral/, 128_000],
]

/** Whether a conversation fills more than half of what the model can take. Of who does not tell, nothing is known. */
export function isCrowded(
  policy: AgentPolicy | undefined,
  { context, model }: { context: number | undefined; model: string | null },
): boolean {
  const known = windows.find(([name]) => name.test((model ?? '').toLowerCase()))?.[1]
  const window = policy?.contextWindow ?? known
  return context !== undefined && window !== undefined && context > window / 2
}
