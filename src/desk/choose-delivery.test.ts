import { describe, expect, it } from 'vitest'
import type { DeliveryRow } from '../ports/event-log.ts'
import { namedDelivery, newestFirst } from './choose-delivery.ts'

const row = (delivery: string, requestedAt = 0): DeliveryRow => ({
  delivery,
  repository: 'r',
  version: 1,
  requestedAt,
  updatedAt: 0,
  result: null,
  title: '',
})

describe('named', () => {
  const rows = [row('add-dates-1'), row('add-dates-12'), row('mend-login-9')]

  it('takes the beginning of exactly one id', () => {
    expect(namedDelivery(rows, 'mend').delivery).toBe('mend-login-9')
  })

  it('prefers a whole id to the beginning of another', () => {
    expect(namedDelivery(rows, 'add-dates-1').delivery).toBe('add-dates-1')
  })

  it('does not guess between several', () => {
    expect(() => namedDelivery(rows, 'add')).toThrow('"add" fits 2 deliveries')
  })

  it('says what was probably meant', () => {
    expect(() => namedDelivery(rows, 'mend-lgin-9')).toThrow(
      expect.objectContaining({ message: 'there is no delivery "mend-lgin-9"', remedy: 'did you mean mend-login-9?' }),
    )
  })
})

describe('newestFirst', () => {
  it('sorts by the time of the request and leaves the given list alone', () => {
    const rows = [row('a', 1), row('b', 3), row('c', 2)]
    expect(newestFirst(rows).map((one) => one.delivery)).toEqual(['b', 'c', 'a'])
    expect(rows[0]?.delivery).toBe('a')
  })
})
