import { expect, it } from 'vitest'
import { beyond, firstRed, mostRuns, type RunShown, regressionWord } from './baseline.ts'
import type { TestFailure } from './check-result.ts'

const failure = (test: string): TestFailure => ({ file: 'a.test.ts', line: 1, test, error: 'no', stack: '' })
const shown = (status: RunShown['status'], ...tests: string[]): RunShown => ({
  ...{ status, failures: tests.map(failure), message: '', tail: '' },
})

it('finds the first red one wherever it is, and asks no more often than halving does', async () => {
  for (let count = 1; count <= 40; count++)
    for (let first = 0; first < count; first++) {
      let asked = 0
      const isRed = async (index: number) => {
        asked += 1
        return index >= first
      }
      expect(await firstRed(count, isRed)).toBe(first)
      expect(asked + 3).toBeLessThanOrEqual(mostRuns(count))
    }
  expect([1, 2, 3, 12, 16].map(mostRuns)).toEqual([3, 4, 5, 7, 7])
})

it('takes for the same trouble what fails in the same test, or where none has a name in the same way', () => {
  const named = shown('test-failure', 'a', 'b')
  expect(regressionWord(shown('pass'), named)).toBe('green')
  expect(regressionWord(shown('test-failure', 'b', 'c'), named)).toBe('red')
  expect(regressionWord(shown('test-failure', 'c'), named)).toBe('green')
  expect(regressionWord(shown('build-error'), named)).toBe('unclear')
  expect(regressionWord(shown('not-set-up'), named)).toBe('unclear')
  expect(regressionWord(shown('build-error'), shown('build-error'))).toBe('red')
  expect(regressionWord(shown('timeout'), shown('build-error'))).toBe('unclear')
})

it('tells what came later from what was red before', () => {
  expect(beyond(shown('test-failure', 'a', 'b'), shown('test-failure', 'a'))).toMatchObject({
    rest: { failures: [{ test: 'b' }] },
    known: [{ test: 'a' }],
  })
  expect(beyond(shown('test-failure', 'a'), shown('test-failure', 'a', 'b'))).toBeNull()
  expect(beyond(shown('build-error'), shown('build-error'))).toBeNull()
})
