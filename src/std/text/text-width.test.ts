import { describe, expect, it } from 'vitest'
import { fitted, padded, textWidth } from './text-width.ts'

describe('textWidth', () => {
  it('counts columns, not characters', () => {
    expect(textWidth('abc')).toBe(3)
    expect(textWidth('日本')).toBe(4)
    expect(textWidth('e\u0301')).toBe(1)
    expect(textWidth('👍')).toBe(2)
  })
})

describe('fitted', () => {
  it('cuts with an ellipsis, never over the columns', () => {
    expect(fitted('abcdef', 6)).toBe('abcdef')
    expect(fitted('abcdef', 4)).toBe('abc…')
    expect(textWidth(fitted('日本語', 4))).toBeLessThanOrEqual(4)
    expect(fitted('abc', 0)).toBe('')
  })
})

describe('padded', () => {
  it('fills up to the columns', () => {
    expect(padded('日', 4)).toBe('日  ')
    expect(padded('abcdef', 3)).toBe('abcdef')
  })
})
