import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import { asCount, asNumber, asText, at, type Json } from '../json.ts'

/** Sums up the steps of a turn. Each is told twice where our plugin runs, those of its sub-agents only there. */
export function openTally() {
  const seen = new Set<string>()
  let usage: Usage = noUsage
  let usd: number | null = null
  return {
    /** Whether it was not counted before. */
    add(part: Json): boolean {
      const id = asText(part.id)
      if (id === null || seen.has(id)) return false
      seen.add(id)
      usage = plus(usage, part.tokens)
      const cost = asNumber(part.cost)
      if (cost !== null) usd = (usd ?? 0) + cost
      return true
    },
    usage: () => usage,
    used: () => (seen.size === 0 ? null : usage),
    /** It tells nothing as the price of a model whose price it does not know. */
    usd: () => (usd === 0 ? null : usd),
  }
}

/** What came from a cache and what was written to it is apart from its input, and what was thought from its output. */
const plus = (usage: Usage, tokens: unknown): Usage => ({
  inputTokens:
    usage.inputTokens +
    asCount(at(tokens, 'input')) +
    asCount(at(tokens, 'cache', 'read')) +
    asCount(at(tokens, 'cache', 'write')),
  outputTokens: usage.outputTokens + asCount(at(tokens, 'output')) + asCount(at(tokens, 'reasoning')),
  cachedTokens: usage.cachedTokens + asCount(at(tokens, 'cache', 'read')),
})
