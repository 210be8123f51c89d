import { describe, expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { endsAtOnce } from '../breakage/edit.ts'
import type { CheckResult, TestFailure } from '../results/check-result.ts'
import { type Try, withoutSilence } from './judge-tries.ts'
import { assertTheChange, characterisationFindings, type Witness, witnessFindings } from './judge-witness.ts'
import { missesWhatIsToCome } from './missing.ts'
import { changedTests, formerTests, means, namedTests } from './named-tests.ts'
import { subjectOf } from './subject.ts'

const failure = (test: string, error = 'expected 1 to be 2'): TestFailure => ({
  file: 'test/a.test.ts',
  line: 1,
  test,
  error,
  stack: '',
})

const result = (status: CheckResult['status'], failures: TestFailure[] = [], passed: string[] = []): CheckResult => ({
  status,
  runner: 'tap',
  counts: { total: failures.length + passed.length, passed: passed.length, failed: failures.length, skipped: 0 },
  failures,
  hollow: [],
  passed,
  message: status,
  tail: '',
})

const witness = (onBase: CheckResult, tests: Partial<Witness['tests']>): Witness => ({
  files: ['test/a.test.ts'],
  tests: { added: [], changed: [], same: [], ...tests },
  onBase,
})

const told = (...witnesses: Witness[]) =>
  witnessFindings(witnesses, 'suggestion').map(({ severity, message }) => `${severity}: ${message}`)

describe('a witness', () => {
  it('is a new test that fails without the change', () => {
    expect(told(witness(result('test-failure', [failure('adds tax')]), { added: ['adds tax'] }))).toEqual([])
    expect(told(witness(result('timeout'), { added: ['adds tax'] }))).toEqual([])
    const died = { ...result('crash'), message: 'it was killed by SIGSEGV' }
    expect(told(witness(died, { added: ['adds tax'] }))).toEqual([])
  })

  it('asserts the change where it ran without it and saw another result, and not where something was missing', () => {
    const failing = (error: string, kind: 'added' | 'same' = 'added') => [
      witness(result('test-failure', [failure('adds tax', error)]), { [kind]: ['adds tax'] }),
    ]
    expect(assertTheChange(failing('expected 1 to be 2'), [])).toBe(true)
    expect(assertTheChange(failing('addTax is not a function'), [])).toBe(false)
    expect(assertTheChange(failing('expected 1 to be 2', 'same'), [])).toBe(false)
    expect(assertTheChange([witness(result('timeout'), { added: ['adds tax'] })], [])).toBe(false)
    const reads = changed('test/a.test.ts', null, "readFileSync('src/a.ts')")
    expect(assertTheChange(failing('expected 1 to be 2'), [reads])).toBe(false)
  })

  it('is one that misses something, and neither that nor none where it cannot be loaded for another reason', () => {
    const load = (error: string) => result('build-error', [failure('test/a.test.ts', error)])
    for (const error of ["Cannot find module '/tmp/x/src/tax.js'", 'error TS2554: Expected 1 arguments, but got 2.'])
      expect(told(witness(load(error), { added: ['a'] })), error).toEqual([])
    expect(told(witness(load("SyntaxError: Unexpected token '}'"), { added: ['a'] }))).toEqual([
      expect.stringMatching(/^suggestion: the tests in test\/a\.test\.ts cannot even be loaded .*Unexpected token/),
    ])
  })

  it('is none when it passes without the change', () => {
    expect(told(witness(result('pass', [], ['is true']), { added: ['is true'], same: ['b'] }))).toEqual([
      'blocking: the test "is true" passes without the change, so it tells nothing about it',
    ])
    const unnamed = witness({ ...result('pass'), counts: null, passed: null }, { added: ['is true'] })
    expect(told(unnamed)).toEqual([expect.stringContaining('the tests in test/a.test.ts pass without the change')])
  })

  it('is none when only tests fail that the story left alone', () => {
    const onBase = result('test-failure', [failure('was red before')], ['is true'])
    expect(told(witness(onBase, { added: ['is true'], same: ['was red before'] }))).toHaveLength(1)
  })

  it('may have others beside it that hold before and after', () => {
    const onBase = result('test-failure', [failure('adds tax')], ['keeps zero'])
    expect(told(witness(onBase, { added: ['adds tax', 'keeps zero'] }))).toEqual([
      'suggestion: the test "keeps zero" passes without the change, so it tells nothing about it',
    ])
    const touched = witness(result('pass', [], ['b']), { changed: ['b'] })
    expect(told(witness(onBase, { added: ['adds tax'] }), touched)[0]).toMatch(/^suggestion/)
    const guard = witness(result('pass', [], ['keeps its order']), { added: ['keeps its order'] })
    expect(told(witness(onBase, { added: ['adds tax'] }), guard)[0]).toMatch(/^suggestion/)
  })

  it('is not asked of tests that were there and are only written otherwise, and is of new ones beside them', () => {
    const passed = result('pass', [], ['a', 'b'])
    expect(told(witness(passed, { changed: ['b'] }))).toEqual([
      expect.stringMatching(/^suggestion: .*so no test shows what it makes different$/),
    ])
    expect(told(witness(passed, { changed: ['b'] }), witness(passed, { added: ['a'] }))).toEqual([
      expect.stringMatching(/^suggestion: the test "b"/),
      expect.stringMatching(/^blocking: the test "a"/),
    ])
    expect(told(witness(passed, {}))[0]).toMatch(/^blocking/)
  })
})

it('new tests that hold before and after may describe a change of which most is noticed, some of it by them', () => {
  const attempt = (line: number, word: Try['word'], by: string[] = []): Try => ({
    ...{
      damage: { file: 'src/a.ts', line, until: line, what: 'broken', kind: 'broken' },
      word,
      by,
      names: [],
    },
  })
  const found = witnessFindings([witness(result('pass', [], ['a']), { added: ['a'] })], 'suggestion')
  const weight = (...tries: Try[]) => withoutSilence(found, tries, 0)[0]?.severity
  const [own, other] = [attempt(1, 'noticed', ['test/a.test.ts']), attempt(2, 'noticed')]
  expect(weight(own, other, attempt(3, 'unnoticed'))).toBe('suggestion')
  expect(weight(own, attempt(2, 'unnoticed'))).toBe('blocking')
  expect(weight(other, other)).toBe('blocking')
  expect(weight(own, { ...own, damage: { ...own.damage, what: endsAtOnce } })).toBe('blocking')
  expect(weight()).toBe('blocking')
  expect(withoutSilence(found, [own, other], 2)[0]?.severity, 'as many were not tried').toBe('blocking')
})

it('tests that are declared to hold with and without the change must do so', () => {
  const holds = witness(result('pass', [], ['a']), { added: ['a'] })
  const fails = witness(result('test-failure', [failure('a')]), { added: ['a'] })
  const elsewhere = witness(result('test-failure', [failure('b')], ['a']), { added: ['a'], same: ['b'] })
  expect(characterisationFindings([holds, elsewhere])).toEqual([])
  expect(characterisationFindings([fails])).toMatchObject([{ rule: 'not-characteristic', severity: 'blocking' }])
})

describe('what is missing without the change', () => {
  it.each([
    "SyntaxError: The requested module './tax.ts' does not provide an export named 'addTax'",
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/tmp/p/src/discount.js' imported from /tmp/p/a.test.js",
    "Cannot find package 'left-pad' imported from x",
    'Failed to load url ../src/discount.ts (resolved id: ../src/discount.ts)',
    'No matching export in "src/shop/tax.ts" for import "addTax"',
    "error TS2305: Module '\"./tax\"' has no exported member 'addTax'.",
    'error TS2554: Expected 1 arguments, but got 2.',
    "ImportError: cannot import name 'addTax' from 'shop.tax'",
    "ModuleNotFoundError: No module named 'discount'",
    "AttributeError: module 'tax' has no attribute 'addTax'",
    "AttributeError: <module 'shop.tax'> does not have the attribute 'addTax'",
    './tax_test.go:5:7: undefined: addTax',
    './tax_test.go:5:7: too many arguments in call to tax.addTax',
    './tax_test.go:5:7: invalid operation: cannot index addTax (value of type func(n int) int)',
    './tax_test.go:5:7: invalid operation: addTax[int] (addTax is not a generic type)',
    './tax_test.go:5:9: cannot use "1" (untyped string constant) as int value in argument to tax.addTax',
    'error TS2558: Expected 0 type arguments, but got 1.',
    'error[E0425]: cannot find function `addTax` in this scope',
    'error[E0432]: unresolved import `shop::money`',
    'npm error Missing script: "left"',
    'sh: 1: left-pad: not found',
  ])('counts: %s', (text) => expect(missesWhatIsToCome(text, [])).not.toBeNull())

  it.each(["SyntaxError: Unexpected token '}'", 'Error: connect ECONNREFUSED 127.0.0.1:5432', 'vitest is not defined'])(
    'does not count: %s',
    (text) => expect(missesWhatIsToCome(text, [])).toBeNull(),
  )
})

describe('the tests of a file', () => {
  const file = (...tests: string[]) => tests.map((test) => `${test}\n`).join('\n')

  it('are added, changed in more than their looks, or the same', () => {
    const before = file("test('a', () => {\n  assert.equal(1, one())\n})", "test('b', () => {\n  assert(two())\n})")
    const after = file(
      'test("a", () => { assert.equal(1, one()); });',
      "test('b', () => {\n  assert(two(2))\n})",
      "test('c', () => {\n  assert(three())\n})",
    )
    expect(changedTests(changed('a.test.js', before, after))).toEqual({ added: ['c'], changed: ['b'], same: ['a'] })
  })

  it('are not new when they come from another file, nor the same when another of their name joins them', () => {
    const one = "test('a', () => {\n  assert(one())\n})\n"
    const two = "test('a', () => {\n  assert(two())\n})\n"
    const moved = formerTests([changed('old.test.js', one, null)])
    expect(changedTests(changed('new.test.js', null, one), moved)).toEqual({ added: [], changed: [], same: ['a'] })
    expect(changedTests(changed('new.test.js', null, two), moved)).toEqual({ added: ['a'], changed: [], same: [] })
    expect(changedTests(changed('a.test.js', one, one + two))).toEqual({ added: [], changed: ['a'], same: [] })
  })

  it('are not new when only their name is, as long as the old one is gone', () => {
    const named = (name: string) => `test('${name}', () => {\n  assert(one())\n})\n`
    const renamed = changed('a.test.js', named('a'), named('b'))
    expect(changedTests(renamed)).toEqual({ added: [], changed: [], same: ['b'] })
    const copied = changed('a.test.js', named('a'), named('a') + named('b'))
    expect(changedTests(copied)).toEqual({ added: ['b'], changed: [], same: ['a'] })
  })

  it('are found in one pass where all stand in one line, and so is what a loader misses', () => {
    expect(namedTests('a.test.js', 'it("a", () => {}); '.repeat(20_000))).toHaveLength(20_000)
    expect(missesWhatIsToCome('1..'.repeat(60_000), [])).toBeNull()
  })

  it.each([
    ['adds', 'adds', true],
    ['math > adds', 'adds', true],
    ['Math adds', 'adds', true],
    ['tests/test_a.py::test_adds[1-2]', 'test_adds', true],
    ['TestAdds/two', 'TestAdds', true],
    ['adds 1 and 2', 'adds %i and %i', true],
    ['adds two', 'adds', false],
    ['readds', 'adds', false],
    ['math > 2 is even', '%i is even', true],
    ['adds 1 and 2 [fast]', 'adds $a and $b', true],
    ['adds 1', 'adds %i and %i', false],
    // Nobody waits for the many ways in which these could be tried.
    ['a '.repeat(5_000), `${'%s '.repeat(40)}b`, false],
  ])('%j means %j: %s', (reported, name, expected) => expect(means(reported, name)).toBe(expected))
})

it('a diff is told apart: tests, what they lean on, the product', () => {
  const subject = subjectOf([
    changed('src/a.ts', '', 'x'),
    changed('src/a.test.ts', '', 'test()'),
    changed('test/fixtures/a.json', null, '{}'),
    changed('test/setup.ts', null, ''),
    changed('gone.test.ts', 'test()', null),
    changed('README.md', '', 'x'),
    changed('package.json', '{}', '{ }'),
  ])
  const paths = (changes: { path: string }[]) => changes.map(({ path }) => path)
  expect(paths(subject.tests)).toEqual(['src/a.test.ts'])
  expect(paths(subject.support)).toEqual(['test/fixtures/a.json', 'test/setup.ts'])
  expect(paths(subject.sources)).toEqual(['src/a.ts', 'package.json'])
  expect(subject.touchesCode).toBe(true)
  expect(subjectOf([changed('package.json', '{}', '{ }'), changed('a.md', '', 'x')]).touchesCode).toBe(false)
  const declared = [
    changed('types/index.d.ts', '', 'safe?: boolean'),
    changed('a/b.pyi', '', 'def b() -> int: ...'),
    changed('types/index.test-d.ts', '', 'expectError(a)'),
  ]
  expect(subjectOf(declared).touchesCode).toBe(false)
  expect(subjectOf([...declared, changed('src/d.ts', '', 'run()')]).touchesCode).toBe(true)
})
