import { expect, it } from 'vitest'
import { readUnittest } from './python.ts'

const line = (letter: string): string => letter.repeat(70)
const failed = `F.s
${line('=')}
FAIL: test_bad (test_a.A.test_bad)
${line('-')}
Traceback (most recent call last):
  File "/repo/test_a.py", line 4, in test_bad
    self.assertEqual(1, 2)
AssertionError: 1 != 2

${line('-')}
Ran 3 tests in 0.001s

FAILED (failures=1, skipped=1)
`

it('is read with its figures, and what failed where', () => {
  const [report] = readUnittest(failed)
  expect(report).toMatchObject({ counts: { total: 3, passed: 1, failed: 1, skipped: 1 } })
  expect(report!.failures).toMatchObject([
    { test: 'test_bad', file: '/repo/test_a.py', line: 4, error: 'AssertionError: 1 != 2' },
  ])
})

it('is read when all is well, run after run, and told from what only looks like it', () => {
  const green = `..\n${line('-')}\nRan 2 tests in 0.000s\n\nOK\n`
  expect(readUnittest(green + green).map(({ counts }) => counts.passed)).toEqual([2, 2])
  expect(readUnittest('Ran 2 tests in a hurry\n\nOK\n')).toEqual([])
  expect(readUnittest(`Ran 0 tests in 0.000s\n\nNO TESTS RAN\n`)[0]!.counts.total).toBe(0)
})

it('tells a file that could not be loaded', () => {
  const text = failed
    .replace('FAIL: test_bad (test_a.A.test_bad)', 'ERROR: test_b (unittest.loader._FailedTest.test_b)')
    .replace('failures=1', 'errors=1')
  expect(readUnittest(text)[0]).toMatchObject({ unloadable: true, counts: { failed: 1 } })
})
