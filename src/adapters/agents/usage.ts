import type { Usage } from '../../delivery/money/ledger.ts'
import { asCount, at } from './json.ts'

/** Reads what was used from a record that has these names for it. */
export const usageBy =
  (input: string, output: string, cached: string) =>
  (told: unknown): Usage => ({
    inputTokens: asCount(at(told, input)),
    outputTokens: asCount(at(told, output)),
    cachedTokens: asCount(at(told, cached)),
  })

const each =
  (join: (one: number, other: number) => number) =>
  (one: Usage, other: Usage): Usage => ({
    inputTokens: join(one.inputTokens, other.inputTokens),
    outputTokens: join(one.outputTokens, other.outputTokens),
    cachedTokens: join(one.cachedTokens, other.cachedTokens),
  })

export const sumOf = each((one, other) => one + other)

/** The larger of each. */
export const atLeast = each(Math.max)

export const difference = each((after, before) => Math.max(0, after - before))

export const times = (usage: Usage, count: number): Usage => each((one) => one * count)(usage, usage)

export const isUsed = ({ inputTokens, outputTokens }: Usage): boolean => inputTokens + outputTokens > 0
