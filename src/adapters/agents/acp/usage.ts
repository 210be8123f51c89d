import type { Usage } from '../../../delivery/money/ledger.ts'
import { asCount, asNumber, asObject, at, type Json } from '../json.ts'
import { isUsed, usageBy } from '../usage.ts'

/** What the answer to a prompt tells: as the protocol has it, or as gemini does. */
export function usageOfAnswer(answer: Json): Usage | null {
  return usageIn(answer.usage) ?? usageIn(at(answer, '_meta', 'usage')) ?? quotaIn(at(answer, '_meta', 'quota'))
}

/** Our input is the whole input. Whether theirs is, follows from their total. */
export function usageIn(value: unknown): Usage | null {
  const told = asObject(value)
  if (told === null) return null
  const [input, output, total] = [asCount(told.inputTokens), asCount(told.outputTokens), asNumber(told.totalTokens)]
  const [read, written] = [asCount(told.cachedReadTokens), asCount(told.cachedWriteTokens)]
  const thought = asCount(told.thoughtTokens)
  const isApart = total !== null && total >= input + output + read + written
  const whole = isApart ? input + read + written : input
  const usage = {
    inputTokens: whole,
    outputTokens: total === whole + output + thought ? output + thought : output,
    cachedTokens: read,
  }
  return isUsed(usage) ? usage : null
}

const quotaUsage = usageBy('input_tokens', 'output_tokens', '')

function quotaIn(quota: unknown): Usage | null {
  const usage = quotaUsage(at(quota, 'token_count'))
  return isUsed(usage) ? usage : null
}
