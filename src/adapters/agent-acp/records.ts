import type { Usage } from '../../delivery/money/ledger.ts'

/** What an agent's own files say of a session, where they say more than the agent does. */
export interface Records {
  /** Of all calls of the model that tell what they have used. */
  usage: Usage
  /** How many calls may have cost something, and do not tell how much. */
  unpriced: number
  /** What the last call failed with, as long as nothing came after it; null: it did not. */
  trouble: { status: number | null; message: string } | null
  /** How much there is. */
  entries: number
}

export interface OnRecord {
  env: Record<string, string>
  session: string
}

/** What has come since; null: nothing is known. */
export function since(before: Records | null, after: Records | null): Records | null {
  if (before === null || after === null) return after
  const less = (key: keyof Usage) => Math.max(0, after.usage[key] - before.usage[key])
  return {
    usage: {
      inputTokens: less('inputTokens'),
      outputTokens: less('outputTokens'),
      cachedTokens: less('cachedTokens'),
    },
    unpriced: Math.max(0, after.unpriced - before.unpriced),
    trouble: after.entries > before.entries ? after.trouble : null,
    entries: after.entries - before.entries,
  }
}
