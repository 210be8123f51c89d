import type { Usage } from '../../../delivery/money/ledger.ts'
import { asCount, asObject } from '../json.ts'

/** Its output leaves out what the model thought, which is paid for as output too: only the total has it. */
export function usageOf(stats: unknown): Usage | null {
  const told = asObject(stats)
  if (told === null) return null
  const inputTokens = asCount(told.input_tokens)
  return {
    inputTokens,
    outputTokens: Math.max(asCount(told.output_tokens), asCount(told.total_tokens) - inputTokens),
    cachedTokens: asCount(told.cached),
  }
}

/** The one that did most, where small things were left to another. */
export function modelOf(stats: unknown): string | null {
  const models = Object.entries(asObject(asObject(stats)?.models) ?? {})
  const total = ([, of]: [string, unknown]): number => asCount(asObject(of)?.total_tokens)
  return models.sort((a, b) => total(b) - total(a))[0]?.[0] ?? null
}
