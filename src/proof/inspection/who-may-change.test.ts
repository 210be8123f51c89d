import { describe, expect, it } from 'vitest'
import { changed, renamed } from '../../../test/samples/change.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import { beyondTests, changedAcceptance, changedTestFiles, notOfTheirOwn } from './who-may-change.ts'

const filesOf = (findings: Finding[]) => findings.map(({ file }) => file)
const nobody = { written: [], byLine: new Set<string>(), ofStory: new Set<string>() }
const aTest = "test('adds', () => expect(add(1, 2)).toBe(3))\n"

describe('while tests are written', () => {
  it('tests may change, and what they lean on', () => {
    const honest = [
      changed('src/add.test.ts', null, aTest),
      changed('test/add.spec.js', aTest, `${aTest}${aTest}`),
      changed('tests/test_add.py', null, 'def test_add():\n    assert add(1, 2) == 3\n'),
      changed('pkg/add_test.go', null, 'func TestAdd(t *testing.T) {}\n'),
      changed('test/support/numbers.ts', null, 'export const numbers = [1, 2]\n'),
      changed('src/__fixtures__/sums.json', null, '[]\n'),
      changed('testdata/sums.txt', null, '1 2 3\n'),
      changed('src/__snapshots__/add.test.ts.snap', null, 'exports[`adds 1`] = `3`\n'),
      changed('conftest.py', null, 'import pytest\n'),
    ]
    expect(filesOf(beyondTests(honest))).toEqual([])
  })

  it('no code may, however small, and no document', () => {
    const beyond = [
      changed('src/add.ts', null, 'export const add = () => 0\n'),
      changed('src/sum.ts', 'export {}\n', null),
      changed('README.md', '# A\n', '# B\n'),
      renamed('src/latest.ts', 'test/latest.test.ts', 'export const latest = 1\n'),
    ]
    expect(filesOf(beyondTests([changed('src/add.test.ts', null, aTest), ...beyond]))).toEqual([
      'src/add.ts',
      'src/sum.ts',
      'README.md',
      'test/latest.test.ts',
    ])
  })
})

describe('while the code is written to the tests of somebody else', () => {
  it('no test file may be changed, added, removed or moved away', () => {
    const touched = [
      changed('test/add.test.ts', aTest, aTest.replace('3', '4')),
      changed('test/more.test.ts', null, aTest),
      changed('test/sum.test.ts', aTest, null),
      renamed('test/late.test.ts', 'src/late.ts', aTest),
      changed('test/fixtures/sums.json', '[1]\n', '[]\n'),
    ]
    expect(filesOf(changedTestFiles(touched, nobody))).toEqual([
      'test/add.test.ts',
      'test/more.test.ts',
      'test/sum.test.ts',
      'src/late.ts',
      'test/fixtures/sums.json',
    ])
  })

  it('what stands in for modules in tests is theirs', () => {
    expect(beyondTests([changed('src/__mocks__/clock.ts', null, 'export const now = () => 0\n')])).toEqual([])
    const touched = [changed('src/__mocks__/clock.ts', 'export const now = () => 0\n', 'export const now = () => 1\n')]
    expect(filesOf(changedTestFiles(touched, nobody))).toEqual(['src/__mocks__/clock.ts'])
  })

  it('code, and a fixture that is added, may', () => {
    const free = [changed('src/add.ts', null, 'export {}\n'), changed('test/fixtures/sums.json', null, '[]\n')]
    expect(changedTestFiles(free, nobody)).toEqual([])
  })

  it('what came in with the line is excused', () => {
    const merged = [changed('test/add.test.ts', aTest, `${aTest}${aTest}`)]
    const byLine = new Set(['test/add.test.ts'])
    expect(changedTestFiles(merged, { ...nobody, byLine })).toEqual([])
    expect(filesOf(changedTestFiles(merged, { ...nobody, byLine, ofStory: byLine }))).toEqual(['test/add.test.ts'])
  })

  it('what was written for the story must be there still, where the line has changed the file as well', () => {
    const path = 'test/add.test.ts'
    const theirs = aTest.replace('adds', 'is on the line')
    const meanwhile = { written: [changed(path, '', aTest)], byLine: new Set([path]), ofStory: new Set([path]) }
    expect(changedTestFiles([changed(path, aTest, `${theirs}${aTest}`)], meanwhile)).toEqual([])
    expect(filesOf(changedTestFiles([changed(path, aTest, theirs)], meanwhile))).toEqual([path])
    const weaker = `${theirs}${aTest.replace('3', '2 + 1')}`
    expect(filesOf(changedTestFiles([changed(path, aTest, weaker)], meanwhile))).toEqual([path])
  })
})

describe('acceptance tests', () => {
  it('are changed by nobody else', () => {
    const own = new Set(['test/acceptance.test.ts'])
    const changes = [changed('test/acceptance.test.ts', aTest, null), changed('src/add.ts', null, 'export {}\n')]
    const [finding, ...rest] = changedAcceptance(changes, own)
    expect(finding).toMatchObject({ rule: 'acceptance-test-changed', severity: 'blocking' })
    expect(rest).toEqual([])
    expect(changedAcceptance([renamed('test/acceptance.test.ts', 'test/a.test.ts', aTest)], own)).toHaveLength(1)
  })

  it('are in files of their own', () => {
    const shared = changed('test/add.test.ts', aTest, `${aTest}${aTest}`)
    expect(filesOf(notOfTheirOwn([changed('test/acceptance.test.ts', null, aTest), shared]))).toEqual([shared.path])
  })
})
