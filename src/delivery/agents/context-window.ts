import type { AgentPolicy } from '../policy.ts'

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
