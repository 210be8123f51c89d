import { describe, expect, it } from 'vitest'
import type { Pulse } from '../../ports/pulses.ts'
import { pulseLine } from './delivery-lines.ts'
import { lineWidth, momentText, rendered } from './line.ts'

const at = 1_800_000_000_000
const pulse = (over: Partial<Pulse>): Pulse => ({
  step: 'x',
  story: 's',
  agent: 'claude',
  model: null,
  state: 'working',
  doing: 'Edit src/dates.ts',
  startedAt: at - 60_000,
  seenAt: at - 12_000,
  until: null,
  usage: { inputTokens: 44_000, outputTokens: 1_000, cachedTokens: 40_000 },
  usd: 0.12,
  ...over,
})
const shown = (over: Partial<Pulse>, columns = 80): string => rendered(pulseLine(pulse(over), at, columns), false)

describe('pulseLine', () => {
  it('tells what is done, how long ago, and what the turn has used', () => {
    expect(shown({})).toBe('    Edit src/dates.ts  12s ago  45k tokens  $0.12')
    expect(shown({ usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0 }, usd: null, seenAt: at })).toBe(
      '    Edit src/dates.ts  0s ago',
    )
  })

  it('tells the states of an agent apart', () => {
    expect(shown({ state: 'silent', seenAt: at - 180_000 })).toMatch(/silent for 3m00s, last: Edit/)
    expect(shown({ state: 'hung', seenAt: at - 1_200_000 })).toMatch(/hung: silent for 20m00s/)
    expect(shown({ state: 'permission', doing: 'rm -r x' })).toMatch(/waiting for permission: rm -r x/)
    const until = at + 600_000
    expect(shown({ state: 'limit', until })).toContain(`waiting for a limit until ${momentText(until, at)}`)
    expect(shown({ state: 'limit' })).toMatch(/waiting for a limit {2}/)
  })

  it.each([40, 80])('fits into %i columns and keeps the figures, whatever is done', (columns) => {
    const line = pulseLine(pulse({ doing: `Bash ${'x'.repeat(500)}\n\x1b[2J` }), at, columns)
    expect(lineWidth(line)).toBeLessThan(columns)
    expect(rendered(line, false)).toMatch(/… {2}12s ago.* \$0\.12$/)
  })
})

describe('momentText', () => {
  it('is short for today, and has the day for later', () => {
    expect(momentText(at + 60_000, at)).toMatch(/^\d\d:\d\d$/)
    expect(momentText(at + 3 * 86_400_000, at)).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  })
})
