import { describe, expect, it } from 'vitest'
import type { Story } from '../../../../src/delivery/plan/plan.ts'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { isHere } from '../confined/here.ts'
import { judged, verdictOf, wordsOf } from '../verdicts.ts'
import { check, type Given, openYard } from '../yard.ts'

const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const one = (name: string, body: string) => `test('${name}', () => {\n  ${body}\n})\n`
const using = (module: string, ...tests: string[]) => `${head}import * as m from '${module}'\n${tests.join('')}`

const adds = one('adds', 'assert.equal(m.sum(1, 2), 3)')
const files = {
  'src/sum.mjs': 'export const sum = (a, b) => a + b\n',
  'src/tax.mjs': 'export const tax = (n) => n / 5\n',
  'test/sum.test.mjs': using('../src/sum.mjs', adds),
  'test/tax.test.mjs': `${using('../src/tax.mjs', one('taxes', 'same(m.tax(5), 1)'))}import { same } from './support/same.mjs'\n`,
  'test/support/same.mjs': "import assert from 'node:assert'\nexport const same = assert.deepEqual\n",
  'test/data.test.mjs': `${using('../src/sum.mjs', one('adds all', 'for (const [a, b, c] of rows) assert.equal(m.sum(a, b), c)'))}import { readFileSync } from 'node:fs'\nconst rows = JSON.parse(readFileSync('test/fixtures/rows.json', 'utf8'))\n`,
  'test/fixtures/rows.json': '[[1, 2, 3], [2, 2, 4]]\n',
  'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
  Makefile: '.PHONY: test\ntest:\n\tnode --test\n',
}

interface More {
  story?: Partial<Story>
  remove?: string[]
  run?: string
  related?: string | null
  policy?: Partial<Policy>
}

const given = (change: Record<string, string>, more: More = {}): Given => ({
  files,
  stories: [{ id: 'one', ...more.story }],
  script: [{ do: [{ write: change }, ...(more.remove ?? []).map((path) => ({ delete: path }))] }],
  policy: {
    judges: ['guard:test'],
    checks: [
      check({
        run: more.run ?? 'node --test',
        related: more.related === undefined ? 'node --test {files}' : more.related,
      }),
    ],
    ...more.policy,
  },
})

const heard = async (change: Record<string, string>, more: More = {}) =>
  wordsOf(await judged(await openYard(given(change, more)))).map((word) => word.split(':', 2).join(':'))

const broken = { 'src/sum.mjs': 'export const sum = (a, b) => a * b\n' }
const brokenTax = { 'src/tax.mjs': 'export const tax = (n) => n * 5\n' }
const failing = (...tests: string[]) =>
  tests.map((test) =>
    expect.stringMatching(new RegExp(`^blocking: the test "${test}", as it was before, fails on this change`)),
  )

describe('the guard', () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      'a test',
      { ...broken, 'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.ok(m.sum)')) },
      ['adds all', 'adds'],
    ],
    ['a helper', { ...brokenTax, 'test/support/same.mjs': 'export const same = () => {}\n' }, ['taxes']],
    ['a fixture', { ...broken, 'test/fixtures/rows.json': '[[2, 2, 4]]\n' }, ['adds all', 'adds']],
  ])('finds a broken product though %s was bent', async (_, change, tests) => {
    const found = await heard(change)
    expect(found.filter((word) => word.startsWith('blocking')).sort()).toEqual(failing(...tests))
    expect(found.at(-1)).toMatch(/^note: judged with 1 files as they were before/)
  })

  it('finds it though the test file was deleted', async () => {
    const more = { remove: ['test/sum.test.mjs'] }
    expect(await heard(broken, more)).toEqual(expect.arrayContaining(failing('adds')))
  })

  it('is content with honest work, and with what changes nothing of tests', async () => {
    const three = { 'src/sum.mjs': 'export const sum = (a, b, c = 0) => a + b + c\n' }
    const addsThree = one('adds three', 'assert.equal(m.sum(1, 2, 3), 6)')
    expect(await heard({ ...three, 'test/sum.test.mjs': using('../src/sum.mjs', adds, addsThree) })).toEqual([
      expect.stringMatching(/^note: judged with 1 files/),
    ])
    expect(await heard({ ...three, 'test/three.test.mjs': using('../src/sum.mjs', addsThree) })).toEqual([
      'note: left to the line',
    ])
    expect(await heard({ 'test/three.test.mjs': using('../src/sum.mjs', addsThree) })).toEqual([
      'note: only tests and settings are changed',
    ])
    expect(await judged(await openYard(given(three)))).toEqual({ status: 'passed', proof: null, concerns: [] })
  })

  it('lets a story change what it was approved to change', async () => {
    const change = {
      ...broken,
      'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 2)')),
    }
    const story = { mayChange: ['test/sum.test.mjs'] }
    expect(await judged(await openYard(given(change, { story })))).toMatchObject({ status: 'passed' })
  })

  it('shows what was expected and what is now, and says what to do', async () => {
    const change = {
      ...broken,
      'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.sum(1, 2), 2)')),
    }
    const verdict = await judged(await openYard(given(change)))
    const found = verdict.status === 'findings' ? verdict.findings : []
    const evidence = found.find(({ message }) => message.includes('"adds"'))?.evidence
    expect(evidence).toMatch(/before, in test\/sum\.test\.mjs:\n.*, 3\)\nnow:\n.*, 2\)/)
    expect(evidence).toMatch(/changedTests/)
  })

  it('says so when old tests cannot even be loaded', async () => {
    const change = {
      'src/sum.mjs': 'export const total = (a, b) => a + b\n',
      'test/sum.test.mjs': using('../src/sum.mjs', one('adds', 'assert.equal(m.total(1, 2), 3)')).replace(
        '* as m',
        '* as m',
      ),
      'test/data.test.mjs': `${head}test('adds all', () => {})\n`,
    }
    const named = {
      'test/sum.test.mjs': `${head}import { sum } from '../src/sum.mjs'\ntest('adds', () => { assert.equal(sum(1, 2), 3) })\n`,
    }
    const yard = await openYard({ ...given(change), files: { ...files, ...named } })
    expect(wordsOf(await judged(yard)).join('\n')).toMatch(/test\/sum\.test\.mjs.*as it was before, fails/)
  })

  it('charges nobody with what was red before', async () => {
    const red = { 'test/red.test.mjs': `${using('../src/sum.mjs', one('was red', 'assert.equal(m.sum(1, 1), 3)'))}` }
    const change = {
      'src/sum.mjs': `${files['src/sum.mjs']}// mended\n`,
      'test/sum.test.mjs': `${files['test/sum.test.mjs']}// more\n`,
    }
    const yard = await openYard({ ...given(change), files: { ...files, ...red } })
    expect(wordsOf(await judged(yard))).toEqual([expect.stringMatching(/^note: judged with 1 files/)])
  })

  it.each<[string, Record<string, string>, string]>([
    ['a Makefile', { ...broken, Makefile: '.PHONY: test\ntest:\n\ttrue\n' }, 'make -s test && true'],
    [
      'a script',
      { ...broken, 'package.json': files['package.json'].replace('node --test', 'true') },
      'npm test && true',
    ],
    ['an added folder', { ...broken, 'test/sum.test.mjs': '', 'test/data.test.mjs': '' }, 'node --test && true'],
  ])('finds it on the line though %s was bent, where nothing runs single files', async (_, change, run) => {
    const checks = [check({ run, related: null, full: 'merge', parser: 'auto' })]
    const yard = await openYard(given(change, { policy: { judges: ['guard:test'], checks } }))
    expect(wordsOf(await judged(yard))).toEqual([expect.stringMatching(/^note: left to the line: the check has no/)])
    await yard.perform('ComposeLine')
    const words = wordsOf(verdictOf(await yard.perform('Judge')))
    expect(words.filter((word) => word.startsWith('blocking')).length).toBeGreaterThan(0)
    expect(words.join('\n')).toMatch(/as (?:it was|they were) before/)
  })

  it('counts what a linter is told, and not which tests there are', async () => {
    const checks = [check({ name: 'lint', run: 'sh lint.sh', related: null, full: 'merge', parser: 'exit-code' })]
    const lint = { 'lint.sh': '! grep -rn TODO src\n' }
    const bent = { 'src/sum.mjs': `${files['src/sum.mjs']}// TODO\n`, 'lint.sh': 'true\n', 'test/sum.test.mjs': '' }
    const yard = await openYard({
      ...given(bent, { policy: { judges: ['guard:lint'], checks } }),
      files: { ...files, ...lint },
    })
    await judged(yard)
    await yard.perform('ComposeLine')
    expect(wordsOf(verdictOf(await yard.perform('Judge')))).toEqual([
      expect.stringMatching(/^blocking: with the tests and settings as they were before, the check fails/),
      expect.stringMatching(/^note: judged with 1 files as they were before: lint\.sh \(settings\) is executed/),
    ])
  })

  it('takes a check script from the story only where it was approved', async () => {
    const checks = [check({ run: 'sh all.sh', related: null, full: 'merge', parser: 'exit-code' })]
    const scripts = { 'all.sh': 'node --test' }
    const bent = { ...broken, 'all.sh': 'node --test test/tax.test.mjs' }
    const onLine = async (story: Partial<Story>) => {
      const more = { story, policy: { judges: ['guard:test'], checks } }
      const yard = await openYard({ ...given(bent, more), files: { ...files, ...scripts } })
      await judged(yard)
      await yard.perform('ComposeLine')
      return wordsOf(verdictOf(await yard.perform('Judge'))).filter((word) => word.startsWith('blocking'))
    }
    expect(await onLine({})).toHaveLength(1)
    expect(await onLine({ mayChange: ['all.sh'] })).toEqual([])
  })

  const go = {
    'go.mod': 'module example.com/m\n\ngo 1.19\n',
    'sum.go': 'package m\n\nfunc Sum(a, b int) int { return a + b }\n',
    'sum_test.go':
      'package m\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
  }
  const python = {
    'shop/__init__.py': '',
    'shop/sum.py': 'def total(a, b):\n    return a + b\n',
    'tests/test_sum.py': 'from shop.sum import total\n\n\ndef test_total():\n    assert total(1, 2) == 3\n',
  }
  const shadowed =
    'from statistics import mean\n\nfrom shop.sum import total\n\n\ndef test_total():\n    assert total(1, 2) / 2 == mean([1, 2])\n'
  const example = (body: string, result: number) =>
    `def total(a, b):\n    """\n    >>> total(1, 2)\n    ${result}\n    """\n    return ${body}\n`
  const hidden: [string, Record<string, string>, Record<string, string>, string][] = [
    [
      'Go, by a TestMain',
      go,
      {
        'sum.go': go['sum.go'].replace('a + b', 'a * b'),
        'main_test.go': 'package m\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n',
      },
      'go test -v ./...',
    ],
    [
      'Python, by a conftest',
      python,
      {
        'shop/sum.py': python['shop/sum.py'].replace('a + b', 'a * b'),
        'conftest.py': 'def pytest_collection_modifyitems(items):\n    items.clear()\n',
      },
      'python3 -m pytest -v',
    ],
    [
      'Python, by a module that stands before the library',
      { ...python, 'tests/test_sum.py': shadowed },
      {
        'shop/sum.py': python['shop/sum.py'].replace('a + b', 'a'),
        'statistics.py': 'def mean(all):\n    return 0.5\n',
      },
      'python3 -m pytest -v',
    ],
    [
      'Python, by an example in the code itself',
      { 'shop/sum.py': example('a + b', 3) },
      { 'shop/sum.py': example('a * b', 2) },
      'python3 -m pytest -v --doctest-modules',
    ],
  ]
  it.each(hidden.filter(([, , , run]) => isHere(run)))(
    'finds on the line what was hidden in %s',
    async (_, before, change, run) => {
      const checks = [check({ run, related: null, full: 'merge', parser: 'auto', timeoutMs: 60_000 })]
      const yard = await openYard({ ...given(change, { policy: { judges: ['guard:test'], checks } }), files: before })
      await judged(yard)
      await yard.perform('ComposeLine')
      expect(wordsOf(verdictOf(await yard.perform('Judge'))).join('\n')).toMatch(
        /^blocking: the test ".*(?:TestSum|test_total|total_as_it_was).*", as it was before, fails/,
      )
    },
  )
})
