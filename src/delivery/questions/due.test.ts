import { describe, expect, it } from 'vitest'
import type { WorkingHours } from '../policy.ts'
import { deadlineAfter, openBetween } from './due.ts'

const hour = 3_600_000
const office: WorkingHours = { days: [1, 2, 3, 4, 5], from: 9 * 60, to: 17 * 60, utcOffsetMinutes: 60 }
const at = (text: string): number => Date.parse(`${text}+01:00`)
const deadline = (asked: string, hours: number) => deadlineAfter(at(asked), hours * hour, office)

describe('a deadline within working hours', () => {
  it.each([
    ['in the morning', '2026-11-16T10:00', 4, '2026-11-16T14:00'],
    ['to the very end of the day', '2026-11-16T13:00', 4, '2026-11-16T17:00'],
    ['late in the day', '2026-11-16T15:00', 4, '2026-11-17T11:00'],
    ['at night', '2026-11-17T02:00', 4, '2026-11-17T13:00'],
    ['on a Friday evening', '2026-11-20T18:30', 4, '2026-11-23T13:00'],
    ['for more than a week', '2026-11-16T09:00', 48, '2026-11-23T17:00'],
  ])('asked %s', (_, asked, hours, ends) => {
    expect(deadline(asked, hours)).toBe(at(ends))
    expect(openBetween(at(asked), at(ends), office)).toBe(hours * hour)
  })
  it('counts every hour where none are set', () => {
    expect(deadlineAfter(5, 7, null)).toBe(12)
    expect(openBetween(5, 12, null)).toBe(7)
  })
})
