import { describe, expect, it } from 'vitest'
import type { CostRow, CostView } from '../../views/cost.ts'
import { rendered } from '../show/line.ts'
import { costLines } from './delivery.ts'

const row = (name: string, over: Partial<CostRow> = {}): CostRow => ({
  name,
  turns: 1,
  inputTokens: 1000,
  outputTokens: 100,
  cachedTokens: 900,
  usd: 1.5,
  usdKnown: true,
  exact: true,
  unpriced: 0,
  durationMs: 61_000,
  ...over,
})

const view = (over: Partial<CostView>): CostView => ({
  delivery: 'd',
  usd: 1.5,
  usdKnown: true,
  tokens: 1100,
  turns: 1,
  exact: true,
  unpriced: 0,
  reservedUsd: 0,
  ceilingUsd: 20,
  byStory: [row('dates')],
  byRole: [row('coder')],
  byAgent: [row('claude')],
  byModel: [row('sonnet')],
  top: { kind: 'story', name: 'dates', usd: 1.5, share: 1, agent: 'claude', model: 'sonnet' },
  ...over,
})

const shown = (over: Partial<CostView>): string =>
  costLines(view(over))
    .map((line) => rendered(line, false))
    .join('\n')

describe('costLines', () => {
  it('names what costs most, and every story, role, agent and model', () => {
    const text = shown({})
    expect(text).toMatch(
      /^\$1\.50 of \$20\.00 {2}1100 tokens in 1 turn\nmost of it: dates by claude, sonnet \(\$1\.50, 100%\)/,
    )
    for (const part of ['by story', 'by role', 'by agent', 'by model']) expect(text).toContain(`\n${part}\n`)
    expect(text).not.toMatch(/[~?]/)
  })

  it('marks what was estimated, and sounds an alarm where no price is known', () => {
    expect(shown({ exact: false, byStory: [row('dates', { exact: false })] })).toMatch(
      /~ estimated[\s\S]*dates {2}\$1\.50~/,
    )
    const unpriced = { exact: false, unpriced: 3, byStory: [row('dates', { exact: false, unpriced: 3 })] }
    expect(shown(unpriced)).toMatch(/\? 3 turns without a known price[\s\S]*dates {2}\$1\.50\?/)
    expect(shown(unpriced)).not.toContain('~')
  })

  it('says unknown, or at least so much, and never a sum that nobody knows', () => {
    const nothing = shown({
      usd: null,
      usdKnown: false,
      unpriced: 2,
      top: null,
      byStory: [row('dates', { usd: null })],
    })
    expect(nothing).toMatch(/^unknown of \$20\.00 /)
    expect(nothing).toMatch(/not in these figures \(set reserveUsd\)/)
    expect(nothing).not.toMatch(/\$0/)
    expect(shown({ usdKnown: false, unpriced: 1 })).toMatch(/^at least \$1\.50 of \$20\.00 /)
  })
})
