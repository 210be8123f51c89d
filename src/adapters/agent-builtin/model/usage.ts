import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { StreamPart } from './api.ts'

type ToldUsage = Extract<StreamPart, { type: 'finish' }>['usage']

export interface Meter {
  /** What is known of a call that has not ended; null: nothing more than before. */
  seen(usage: Usage | null): void
  /** A call has ended, and this is what it used. */
  ended(usage: Usage): void
  /** Whether something is known of a call that has not ended. */
  isRunning(): boolean
  total(): Usage
}

/** Counts a turn. A call that never ends counts with what was seen of it. */
export function openMeter(): Meter {
  let done = noUsage
  let current = noUsage
  return {
    seen: (usage) => {
      current = usage ?? current
    },
    ended: (usage) => {
      done = sum(done, usage)
      current = noUsage
    },
    isRunning: () => current !== noUsage,
    total: () => sum(done, current),
  }
}

export const usageOf = ({ inputTokens, outputTokens }: ToldUsage): Usage => ({
  inputTokens: inputTokens.total ?? 0,
  outputTokens: outputTokens.total ?? 0,
  cachedTokens: inputTokens.cacheRead ?? 0,
})

/** Two of the APIs tell their usage while they still answer: Anthropic when it begins, Google with each piece. */
export function usageSeen(raw: unknown): Usage | null {
  const { type, message, usageMetadata } = (raw ?? {}) as Raw
  if (type === 'message_start' && message?.usage) {
    const { input_tokens = 0, output_tokens = 0, cache_read_input_tokens, cache_creation_input_tokens } = message.usage
    const cachedTokens = cache_read_input_tokens ?? 0
    const inputTokens = input_tokens + cachedTokens + (cache_creation_input_tokens ?? 0)
    return { inputTokens, outputTokens: output_tokens, cachedTokens }
  }
  if (!usageMetadata) return null
  const { promptTokenCount = 0, candidatesTokenCount = 0, thoughtsTokenCount = 0 } = usageMetadata
  return {
    inputTokens: promptTokenCount,
    outputTokens: candidatesTokenCount + thoughtsTokenCount,
    cachedTokens: usageMetadata.cachedContentTokenCount ?? 0,
  }
}

interface Raw {
  type?: string
  message?: { usage?: Record<string, number | undefined> }
  usageMetadata?: Record<string, number | undefined>
}

const sum = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
})
