import { noUsage, type Usage } from '../../../../delivery/money/ledger.ts'
import { frameTokens, sumOf, tokensIn } from '../../usage.ts'
import type { StreamPart } from './api.ts'

type ToldUsage = Extract<StreamPart, { type: 'finish' }>['usage']

export type Meter = ReturnType<typeof openMeter>

interface Call {
  sentChars: number
  heardChars: number
  seen: Usage | null
}

/** Counts a turn. A call that never tells what it used counts with what was seen of it, or with what it must have been. */
export function openMeter() {
  let done = noUsage
  let call: Call | null = null
  let isExact = true
  const close = (): void => {
    if (call !== null) done = sumOf(done, reckoned(call))
    isExact &&= call === null
    call = null
  }
  return {
    /** A call is answered from here on, and so is paid; `sentChars`: what it was sent. */
    begun(sentChars: number): void {
      close()
      call = { sentChars, heardChars: 0, seen: null }
    },
    /** Something of its answer has come, as long as this. */
    heard(chars: number): void {
      if (call !== null) call.heardChars += chars
    },
    /** What is known of a call that has not ended; null: nothing more than before. */
    seen(usage: Usage | null): void {
      if (call !== null) call.seen = usage ?? call.seen
    },
    /** A call has ended, and this is what it told to have used. */
    ended(told: ToldUsage): void {
      if (told.inputTokens.total === undefined || told.outputTokens.total === undefined) return close()
      done = sumOf(done, usageOf(told))
      call = null
    },
    /** Whether the API has told something of a call that has not ended. */
    isRunning: () => call?.seen != null,
    total: (): Usage => (call === null ? done : sumOf(done, reckoned(call))),
    /** Whether each call has told what it used. */
    isExact: () => isExact && call === null,
  }
}

const reckoned = ({ sentChars, heardChars, seen }: Call): Usage => ({
  inputTokens: seen?.inputTokens ?? tokensIn(sentChars) + frameTokens,
  outputTokens: Math.max(seen?.outputTokens ?? 1, tokensIn(heardChars)),
  cachedTokens: seen?.cachedTokens ?? 0,
})

const usageOf = ({ inputTokens, outputTokens }: ToldUsage): Usage => ({
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
