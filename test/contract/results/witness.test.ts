import { expect, it } from 'vitest'
import { witnessFindings } from '../../../src/proof/witness/judge-witness.ts'
import { judgeCase } from './cases.ts'

/** What is heard of new tests whose run on the base was recorded as this. */
const heard = (runner: string, name: string) => {
  const onBase = judgeCase(runner, name)
  const files = [onBase.failures[0]?.file ?? 'test/c.test.js']
  const witness = { files, tests: { added: ['never'], changed: [], same: [] }, onBase }
  return witnessFindings([witness], 'suggestion')
    .filter(({ rule }) => rule === 'witness-unloadable')
    .map(({ rule }) => rule)
}

it.each(['vitest', 'jest', 'mocha', 'pytest', 'go', 'cargo'])(
  'a recorded run of tests that cannot be loaded is one that misses something: %s',
  (runner) => expect(heard(runner, 'broken')).toEqual([]),
)

it.each([
  ['vitest', 'crash'],
  ['pytest', 'crash'],
  ['cargo', 'crash'],
  ['mocha', 'crash'],
  ['mocha', 'exits'],
  ['vitest', 'none'],
  ['jest', 'none'],
  ['mocha', 'none'],
  ['pytest', 'none'],
  ['pytest', 'usage'],
  ['pytest', 'exits'],
  ['pytest', 'all-skipped'],
  ['go', 'none'],
  ['go', 'no-match'],
  ['cargo', 'none'],
])('a recorded run that tested nothing, or broke off, is no witness: %s %s', (runner, name) => {
  expect(heard(runner, name)).toEqual(['witness-unloadable'])
})
