import { describe, expect, it } from 'vitest'
import { identifierProblem } from '../../std/identifier.ts'
import { freshDeliveryId } from './request.ts'
import { pickText } from './settings-layers.ts'

describe('pickText', () => {
  const pick = (committed: string | null, working: string | null, dirty: string[] = []) =>
    pickText({ committed, working, target: 'main', dirty })

  it('takes the committed text without a word when both are the same, or there is no other', () => {
    expect(pick('a', 'a')).toEqual({ text: 'a', warnings: [] })
    expect(pick('a', null)).toEqual({ text: 'a', warnings: [] })
    expect(pick(null, null)).toEqual({ text: null, warnings: [] })
  })

  it('takes what is not committed yet, and says so', () => {
    const { text, warnings } = pick(null, 'b')
    expect(text).toBe('b')
    expect(warnings[0]).toMatch(/not committed on main/)
  })

  it('takes uncommitted changes, and says so', () => {
    const { text, warnings } = pick('a', 'b', ['ropewalk.yaml'])
    expect(text).toBe('b')
    expect(warnings[0]).toMatch(/uncommitted changes/)
  })

  it('does not take the committed file of another branch', () => {
    const { text, warnings } = pick('a', 'b')
    expect(text).toBe('a')
    expect(warnings[0]).toMatch(/that of main is used/)
  })
})

describe('freshDeliveryId', () => {
  it('is recognisable, short, and fit for paths and refs', () => {
    for (const text of ['Parse ISO dates, please!', '日本語だけ', '../../etc/passwd', 'x'.repeat(500), '--flag'])
      expect(identifierProblem(freshDeliveryId(text))).toBeNull()
    expect(freshDeliveryId('Parse ISO dates, please!')).toMatch(/^parse-iso-dates-please-[0-9a-z]{10}$/)
  })

  it('does not repeat itself', () => {
    expect(new Set(Array.from({ length: 10_000 }, () => freshDeliveryId('same'))).size).toBe(10_000)
  })
})
