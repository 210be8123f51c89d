import { expect, it } from 'vitest'
import { timesOf } from './single-files.ts'

it('goes by the time that a check took before somebody made it slow, and lets it end', () => {
  expect(timesOf({ now: 25_000, before: 2_000 })).toEqual({ wholeMs: 2_000, slowestMs: 25_000 })
  expect(timesOf({ now: 3_000, before: 2_000 })).toEqual({ wholeMs: 3_000 })
})

it('goes by what is known', () => {
  expect(timesOf({ now: 0, before: 2_000 })).toEqual({ wholeMs: 2_000 })
  expect(timesOf({ now: 3_000, before: 0 })).toEqual({ wholeMs: 3_000 })
  expect(timesOf({ now: 0, before: 0 })).toEqual({ wholeMs: 0 })
})
