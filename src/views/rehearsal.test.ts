import { expect, it } from 'vitest'
import type { CommitKind } from '../delivery/judging/finding.ts'
import { rehearsalSample } from './rehearsal.ts'

const history = (...parts: [CommitKind, number][]) =>
  parts.flatMap(([kind, count]) => Array.from({ length: count }, (_, at) => ({ kind, at })))

const tally = (some: { kind: CommitKind }[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { kind } of some) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

it('is spread over the kinds, and what one kind lacks goes to the others', () => {
  const all = history(['documentation', 50], ['code with tests', 30], ['tests only', 2], ['code only', 40])
  expect(tally(rehearsalSample(all, 20))).toEqual({ 'code with tests': 9, 'tests only': 2, 'code only': 9 })
  expect(tally(rehearsalSample(all, 2))).toEqual({ 'code with tests': 1, 'tests only': 1 })
  expect(rehearsalSample(all, 1000)).toEqual(all.filter(({ kind }) => kind !== 'documentation'))
})

it('is spread over the time, in order, and always the same', () => {
  const all = history(['code only', 100])
  expect(rehearsalSample(all, 4).map(({ at }) => at)).toEqual([12, 37, 62, 87])
  expect(rehearsalSample(all, 4)).toEqual(rehearsalSample(all, 4))
  expect(rehearsalSample([], 4)).toEqual([])
})
