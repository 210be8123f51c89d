import type { Usage } from '../../../delivery/money/ledger.ts'
import { jsonObjectIn } from '../../../std/json-file.ts'
import { asCount, asObject, at } from '../json.ts'

/** What the file that it writes at its end tells: the session's totals, for each model. Null while there is none. */
export function usedIn(file: string): { usage: Usage; model: string | null } | null {
  const metrics = asObject(at(jsonObjectIn(file), 'modelMetrics'))
  if (metrics === null) return null
  const models = Object.entries(metrics).map(([model, of]) => ({ model, usage: usageOf(asObject(of)?.usage) }))
  const most = [...models].sort((a, b) => b.usage.inputTokens - a.usage.inputTokens)[0]
  return { usage: sumOf(models.map(({ usage }) => usage)), model: most?.model ?? null }
}

/** Its input has what came from a cache in it, and its output what the model thought. */
export const usageOf = (told: unknown): Usage => ({
  inputTokens: asCount(at(told, 'inputTokens')),
  outputTokens: asCount(at(told, 'outputTokens')),
  cachedTokens: asCount(at(told, 'cacheReadTokens')),
})

export const sumOf = (usages: Usage[]): Usage => ({
  inputTokens: usages.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
  outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
  cachedTokens: usages.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0),
})
