import { describe, expect, it } from 'vitest'
import { witnessFindings } from '../../../src/proof/witness/judge-witness.ts'
import { changed } from '../../samples/change.ts'
import { judgeCase } from './cases.ts'

/** What is heard of new tests whose run on the base was recorded as this. */
const heard = (runner: string, name: string, source: string) => {
  const onBase = judgeCase(runner, name)
  const files = [onBase.failures[0]?.file ?? 'test/c.test.js']
  const witness = { files, tests: { added: ['never'], changed: [], same: [] }, onBase }
  return witnessFindings(
    [witness],
    [changed('src/a.js', '', source), changed('broken/other.js', null, '')],
    'suggestion',
  )
    .filter(({ severity }) => severity === 'blocking')
    .map(({ rule }) => rule)
}

describe('a recorded run of tests that cannot be loaded', () => {
  it.each([
    ['vitest', 'missing'],
    ['jest', 'missing'],
    ['mocha', 'missing'],
    ['pytest', 'nope'],
    ['go', 'undefinedThing'],
    ['cargo', 'nope'],
  ])('of %s tells of the change only where it adds what is missing', (runner, name) => {
    expect(heard(runner, 'broken', `${name}`)).toEqual([])
    expect(heard(runner, 'broken', 'another')).toEqual(['witness-unloadable'])
  })
})

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
  expect(heard(runner, name, 'never')).toEqual(['witness-unloadable'])
})
