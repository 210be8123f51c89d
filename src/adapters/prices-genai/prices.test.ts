import { describe, expect, it } from 'vitest'
import { listedPrices } from './prices.ts'

const million = { inputTokens: 1_000_000, outputTokens: 1_000_000, cachedTokens: 0 }
const at = Date.parse('2026-06-01')
const prices = listedPrices()

describe('listed prices', () => {
  it.each([
    ['claude-sonnet-4-5-20250929', 3 + 15],
    ['claude-opus-4-5', 5 + 25],
    ['gpt-5-codex', 1.25 + 10],
    ['gpt-5.5-codex', 5 + 30],
    ['gemini-2.5-pro', 1.25 + 10],
    ['models/gemini-2.5-pro', 1.25 + 10],
    ['anthropic/claude-sonnet-4-5', 3 + 15],
    ['openrouter/anthropic/claude-sonnet-4', 3 + 15],
  ])('knows what a million tokens in and out cost with %s', async (model, usd) => {
    expect(await prices.usd({ model, usage: million, at })).toBeCloseTo(usd, 6)
  })

  it.each(['fake-model', 'gpt-99', 'claude', '', 'local/my-model', '../../etc', '__proto__', 'nobody/gpt-5'])(
    'has no price for "%s"',
    async (model) => {
      expect(await prices.usd({ model, usage: million, at })).toBeNull()
    },
  )

  it('prices what was read from the cache at its own rate', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 900_000 }
    expect(await prices.usd({ model: 'claude-sonnet-4-5', usage, at })).toBeCloseTo(0.1 * 3 + 0.9 * 0.3, 6)
  })

  it('takes no more from the cache than came in', async () => {
    const usage = { inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 2_000_000 }
    expect(await prices.usd({ model: 'claude-sonnet-4-5', usage, at })).toBeCloseTo(0.3, 6)
  })

  it('asks nothing for nothing, and has no price for what cannot be', async () => {
    const nothing = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }
    expect(await prices.usd({ model: 'gpt-5', usage: nothing, at })).toBe(0)
    expect(await prices.usd({ model: 'gpt-5', usage: { ...nothing, outputTokens: Number.NaN }, at })).toBeNull()
    expect(await prices.usd({ model: 'gpt-5', usage: { ...nothing, outputTokens: -1 }, at })).toBeNull()
  })

  it('costs as much in one large turn as in many small ones', async () => {
    const small = { inputTokens: 5_000, outputTokens: 100, cachedTokens: 4_000 }
    const large = { inputTokens: 5_000_000, outputTokens: 100_000, cachedTokens: 4_000_000 }
    const one = await prices.usd({ model: 'gemini-2.5-pro', usage: small, at })
    expect(await prices.usd({ model: 'gemini-2.5-pro', usage: large, at })).toBeCloseTo(1000 * (one ?? 0), 6)
  })
})
