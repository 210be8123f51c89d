import { describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'
import { blocks } from '../../../src/delivery/judging/finding.ts'
import { changed } from '../../../src/proof/inspection/sample-change.ts'
import { integrityFindings } from '../../../src/proof/inspection/tests/integrity.ts'
import { changedTests } from '../../../src/proof/witness/cases.ts'

const reader = await loadCodeReader()
const path = 'test/large.test.js'
const rules = (before: string | null, after: string | null) =>
  integrityFindings([changed(path, before, after)], reader)
    .filter(blocks)
    .map(({ rule }) => rule)

const one = (name: string | number) => `test('adds ${name}', () => {\n  expect(add(${name}, 1)).toBe(${name} + 1)\n})\n`
const large = Array.from({ length: 3_500 }, (_, at) => one(at)).join('')

describe('a file of tests that is too large to be compared test by test', () => {
  it.each<[string, string | null, string]>([
    ['a test is gone', large.replace(one(3_000), ''), 'test-weakened'],
    ['an assertion is looser', large.replace('toBe(7 + 1)', 'toBeTruthy()'), 'test-weakened'],
    ['a test is skipped', large.replace("test('adds 7'", "test.skip('adds 7'"), 'test-'],
    ['a skipped test comes', `${large}test.skip('later', () => {})\n`, 'test-skipped'],
    ['all is gone', null, 'test-deleted'],
  ])('is found where %s', (_, after, rule) => {
    expect(rules(large, after).filter((found) => found.startsWith(rule))).not.toEqual([])
  })

  it.each<[string, string]>([
    ['tests are added', large + one(9_999)],
    ['only its looks change', large.replaceAll('\n  expect', '\n    expect').replaceAll('})\n', '});\n')],
    ['tests change their order', large.replace(one(10), '') + one(10)],
  ])('passes where %s', (_, after) => {
    expect(rules(large, after)).toEqual([])
  })
})

/** What a quarter of a million characters of this look like, in a file that some runner would take for tests. */
const hostile: [string, string][] = [
  ['a.test.js', 'it('],
  ['a.test.js', "test('a', () => {"],
  ['a.test.js', "it.skip('a',()=>{})\n"],
  ['a.test.js', '/['],
  ['a.test.js', 'import {'],
  ['a.test.js', '`${'],
  ['a.test.js', "describe('a',()=>{"],
  ['test_a.py', 'def test_a():\n\n'],
  ['test_a.py', 'm = pytest.mark.skip\n@m\n'],
  ['a_test.go', 'func TestA(t *testing.T) {\n'],
  ['tests/a.rs', '#[test] #[a] '],
  ['ATest.java', '@Test a'],
  ['a_spec.rb', "it 'a' do\n"],
]

it.each(hostile)('a quarter of a million characters are read in one pass: %s of %j', (name, unit) => {
  const text = unit.repeat(250_000 / unit.length)
  const change = changed(name, text, text.replaceAll('a', 'b'))
  expect(integrityFindings([change], reader).length).toBeLessThan(1_000_000)
  const { added, changed: others, same } = changedTests(change)
  expect(added.length + others.length + same.length).toBeLessThan(1_000_000)
})
