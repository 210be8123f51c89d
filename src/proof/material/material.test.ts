import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { treeOf } from '../../../test/samples/tree.ts'
import { withFormerSettings } from './mixed.ts'
import { shadowsIn } from './renames.ts'
import { isDoubtful, needsTree, sortFiles } from './sort-files.ts'

const closure = { files: new Set(['scripts/ci.sh']) }
const tests = { material: [], product: [] }

const kindOf = (path: string, texts: Record<string, string> | null = null, given = tests as Given) =>
  sortFiles([path], { closure, tests: given, tree: texts === null ? null : treeOf(texts) }).get(path)!.kind

type Given = { material: string[]; product: string[] }

describe('what asserts or holds only data, where the product is', () => {
  const texts = {
    'src/same.js': "import assert from 'node:assert'\nexport const same = (a, b) => assert.equal(a, b)\n",
    'src/examples.js': 'export const examples = [[1, 2]]\n',
    'src/rates.js': 'export const rates = { a: 1 }\n',
    'src/cart.js': "import { rates } from './rates.js'\nexport const total = (a) => a * rates.a\n",
    'src/index.js': "export { total } from './cart.js'\n",
    'test/cart.test.js':
      "import { total } from '../src/index.js'\nimport { same } from '../src/same.js'\nimport { examples } from '../src/examples.js'\n",
  }
  const tree = treeOf(texts)
  const doubtful = new Set(Object.entries(texts).flatMap(([path, text]) => (isDoubtful(path, text) ? [path] : [])))

  it('is test material if only tests need it', () => {
    const sorted = sortFiles(Object.keys(texts), { closure, tests, tree, doubtful })
    expect([...doubtful]).toEqual(['src/same.js', 'src/examples.js', 'src/rates.js'])
    expect(Object.keys(texts).map((path) => sorted.get(path)!.kind)).toEqual([
      'tests',
      'tests',
      'product',
      'product',
      'product',
      'tests',
    ])
  })
})

it('takes a module of Python that holds only data, and that only tests need, for test material', () => {
  const texts = {
    'cases.py': 'CASES = [(1, 2)]\n',
    'rates.py': 'RATE = 3\n',
    'shop.py': 'from rates import RATE\n',
    'tests/test_shop.py': 'from cases import CASES\nfrom shop import RATE\n\ndef test_rate():\n    assert RATE\n',
  }
  const doubtful = new Set(Object.entries(texts).flatMap(([path, text]) => (isDoubtful(path, text) ? [path] : [])))
  expect([...doubtful]).toEqual(['cases.py', 'rates.py'])
  const sorted = sortFiles(Object.keys(texts), { closure, tests, tree: treeOf(texts), doubtful })
  expect(Object.keys(texts).map((path) => sorted.get(path)!.kind)).toEqual(['tests', 'product', 'product', 'tests'])
  expect(isDoubtful('shop/__init__.py', '')).toBe(false)
})

it('finds new files that tests would take for what they import from elsewhere', () => {
  const test = 'import os, statistics\nfrom shop.cart import total\n\ndef test_a():\n    assert total\n'
  const base = treeOf({ 'shop/cart.py': '', 'tests/test_a.py': test, 'lib/os/x.py': '' })
  const added = ['statistics.py', 'tests/statistics/__init__.py', 'shop/statistics.py', 'os.py', 'rates.py']
  expect(shadowsIn(added, base)).toEqual(added.slice(0, 2))
})

it('takes a package of Go that takes a test into its hands for test material, unless the product needs it', () => {
  const texts = {
    'go.mod': 'module shop\n',
    'internal/check/check.go': 'package check\n\nimport "testing"\n\nfunc Same(t *testing.T, a, b int) {}\n',
    'internal/rates/rates.go': 'package rates\n\nimport "testing"\n\nvar Times = testing.Benchmark\n',
    'cart.go': 'package shop\n\nimport "shop/internal/rates"\n',
    'cart_test.go': 'package shop\n\nimport (\n\t"shop/internal/check"\n\t"testing"\n)\n',
  }
  const doubtful = new Set(Object.entries(texts).flatMap(([path, text]) => (isDoubtful(path, text) ? [path] : [])))
  const sorted = sortFiles(Object.keys(texts), { closure, tests, tree: treeOf(texts), doubtful })
  expect(sorted.get('internal/check/check.go')!.kind).toBe('tests')
  expect(sorted.get('internal/rates/rates.go')!.kind).toBe('product')
})

describe('data in a folder of its own', () => {
  const reads = "JSON.parse(readFileSync('golden/' + name))"
  it('is test material if only tests name it or its folder', () => {
    expect(kindOf('golden/cart.json', { 'test/cart.test.js': reads, 'src/cart.js': 'export const a = 1' })).toBe(
      'tests',
    )
    expect(kindOf('golden/cart.json', { 'tests/test_cart.py': 'p = root / "golden" / "cart.json"' })).toBe('tests')
  })

  it('is a setting if only what the checks execute names it', () => {
    const given = { closure: { files: new Set(['lint.js']) }, tests, tree: treeOf({ 'lint.js': "read('.skip')" }) }
    expect(sortFiles(['.skip'], given).get('.skip')!.kind).toBe('settings')
  })

  it('is product if product names it, if nobody does, and where the product is kept', () => {
    expect(kindOf('golden/cart.json', { 'test/cart.test.js': reads, 'src/cart.js': reads })).toBe('product')
    expect(kindOf('golden/cart.json', { 'test/cart.test.js': 'golden', 'package.json': '{}' })).toBe('product')
    expect(kindOf('src/cart.json', { 'test/cart.test.js': "read('../src/cart.json')" })).toBe('product')
    const named = { 'test/words.test.js': "words('de')", 'src/words.js': "readdirSync('locales', { recursive: true })" }
    expect(kindOf('locales/de/common.json', named), 'a folder further above').toBe('product')
  })
})

describe('whom a file serves', () => {
  it('is told by its name, wherever it lies', () => {
    const folders = fc.array(fc.constantFrom('src', 'packages', 'a', 'lib', 'deep'), { maxLength: 3 })
    const names = fc.constantFrom<[string, string]>(
      ...['a.test.ts', 'a.spec.jsx', 'test_a.py', 'a_test.py', 'a_test.go', 'conftest.py', 'ATest.java', 'a.snap'].map(
        (name): [string, string] => [name, 'tests'],
      ),
      ...[
        'vitest.config.ts',
        'jest.config.cjs',
        '.mocharc.yml',
        'pytest.ini',
        '.pytest.toml',
        'tox.ini',
        'Makefile',
        'tsconfig.json',
      ].map((name): [string, string] => [name, 'settings']),
      ...['test/a.txt', 'tests/data/a.bin', '__snapshots__/a.js.snap', 'testdata/in', 'fixtures/a.json'].map(
        (name): [string, string] => [name, 'tests'],
      ),
      ...['.github/workflows/ci.yml', '.cargo/config.toml', 'shop.egg-info/entry_points.txt', 'rules.mk'].map(
        (name): [string, string] => [name, 'settings'],
      ),
      ...['a.ts', 'main.go', 'README.md', 'style.css', 'latest.js', 'contest.py'].map((name): [string, string] => [
        name,
        'product',
      ]),
    )
    fc.assert(
      fc.property(folders, names, (above, [name, kind]) => {
        expect(kindOf([...above, name].join('/'))).toBe(kind)
      }),
    )
    expect(kindOf('scripts/ci.sh')).toBe('settings')
  })

  it('is what the settings say, before all else', () => {
    const given = { product: ['testing', 'src/a.test.ts'], material: ['samples/**', 'src/golden.ts'] }
    expect(kindOf('src/a.test.ts', null, given)).toBe('product')
    expect(kindOf('testing/tests/assert.ts', null, given)).toBe('product')
    expect(kindOf('samples/x/one.bin', null, given)).toBe('tests')
    expect(kindOf('src/golden.ts', null, given)).toBe('tests')
  })

  it('is told by who needs it', () => {
    const tree = {
      'test/a.test.mjs':
        "import '../support/db.mjs'\nimport '../src/a.mjs'\nimport '../src/mocks/clock.mjs'\nimport '../calc.mjs'",
      'support/db.mjs': "import './rows.mjs'",
      'support/rows.mjs': "import './db.mjs'",
      'src/a.mjs': "import './commands/test/run.mjs'\nimport '../tools/used.mjs'",
      'src/mocks/clock.mjs': '',
      'src/commands/test/run.mjs': '',
      'tools/used.mjs': '',
      'tools/a.mjs': '',
      'calc.mjs': '',
      'other/nobody.mjs': '',
    }
    const told = Object.fromEntries(Object.keys(tree).map((path) => [path, kindOf(path, tree)]))
    expect(told).toEqual({
      'test/a.test.mjs': 'tests',
      'support/db.mjs': 'tests',
      'support/rows.mjs': 'tests',
      'src/a.mjs': 'product',
      'src/mocks/clock.mjs': 'tests',
      'src/commands/test/run.mjs': 'product',
      'tools/used.mjs': 'product',
      'tools/a.mjs': 'product',
      'calc.mjs': 'product',
      'other/nobody.mjs': 'product',
    })
  })

  it("is told of Go's packages as a whole", () => {
    const tree = {
      'go.mod': 'module example.com/m\n',
      'shop/shop_test.go': 'package shop\nimport "example.com/m/internal/testutil"\n',
      'internal/testutil/db.go': 'package testutil\n',
    }
    expect(kindOf('internal/testutil/db.go', tree)).toBe('tests')
  })

  it('needs no reading where names settle it', () => {
    const open = (path: string) => needsTree([path], { closure, tests })
    expect(['src/a.ts', 'test/a.test.ts', 'test/support/x.ts', 'Makefile', 'a.ts', 'docs/a.md'].filter(open)).toEqual(
      [],
    )
    expect(['support/a.ts', 'src/mocks/a.ts', 'src/x/test/a.ts'].filter(open)).toHaveLength(3)
  })
})

const made = (path: string, before: string, after: string, scripts: string[] = []) =>
  withFormerSettings({ path, before, after, scripts: new Set(scripts) })

describe('a file that is both', () => {
  it('package.json: has the former scripts of the checks and sections of tools, and the new dependencies', () => {
    const before = { name: 'a', scripts: { test: 'jest', build: 'x' }, jest: { bail: 0 }, dependencies: { a: '1' } }
    const after = {
      ...before,
      scripts: { test: 'true', pretest: 'rm -r test', build: 'y', postinstall: 'node hack.js' },
      jest: { testMatch: [] },
      mocha: {},
      dependencies: { a: '2', b: '1' },
    }
    const text = made('x/package.json', JSON.stringify(before), JSON.stringify(after), ['pretest', 'test', 'posttest'])
    expect(JSON.parse(text!)).toEqual({
      ...before,
      dependencies: after.dependencies,
      scripts: { test: 'jest', build: 'y' },
    })
    const harmless = JSON.stringify({ ...before, version: '2' })
    expect(made('package.json', JSON.stringify(before), harmless, ['test'])).toBeNull()
    expect(made('package.json', JSON.stringify(before), '{ broken')).toBe(JSON.stringify(before))
  })

  it('sections: those of tests are as before, added ones gone and deleted ones back', () => {
    const product = '[project]\nname = "a"\ndependencies = [\n  "x",\n]\n'
    const newer = product.replace('"x"', '"y"')
    const tools = fc.subarray(['pytest.ini_options', 'coverage.run', 'mypy', 'ruff.lint', 'hatch.envs.test'])
    const block = (name: string, value: number) => `[tool.${name}]\nvalue = ${value}\n`
    const textOf = (head: string, names: string[], value: number) =>
      `${head}\n${names.map((name) => block(name, value)).join('\n')}`
    fc.assert(
      fc.property(tools, tools, (old, now) => {
        const [before, after] = [textOf(product, old, 1), textOf(newer, now, 2)]
        const text = made('pyproject.toml', before, after) ?? after
        expect(text).toContain('"y"')
        for (const name of old) expect(text).toContain(block(name, 1).trim())
        expect(text).not.toContain('value = 2')
      }),
    )
    expect(made('pyproject.toml', product, newer)).toBeNull()
    expect(made('pyproject.toml', product, `${newer}\n[tool.poetry]\nx = 1\n`)).toBeNull()
    expect(made('setup.cfg', '[metadata]\nname = a\n', '[metadata]\nname = b\n[tool:pytest]\naddopts = -x\n')).toBe(
      '[metadata]\nname = b\n\n',
    )
  })

  it('Cargo.toml: also single lines of what is built', () => {
    const before = '[package]\nname = "a"\n\n[lib]\npath = "src/lib.rs"\n'
    const after =
      '[package]\nname = "a"\nautotests = false\n\n[dependencies]\nx = "1"\n\n[lib]\npath = "src/lib.rs"\nharness = false\n\n[[test]]\nname = "t"\nharness = false\n'
    const text = made('Cargo.toml', before, after)!
    expect(text).not.toMatch(/harness|autotests|\[\[test/)
    expect(text).toContain('[dependencies]\nx = "1"')
  })

  it('Rust: the former tests beside the new code', () => {
    const module = (name: string, body: string) => `#[cfg(test)]\nmod ${name} {\n    use super::*;\n    ${body}\n}\n`
    const before = `pub fn a() -> i32 { 1 }\n\n${module('tests', '#[test] fn t() { assert_eq!(a(), 1); }')}`
    const code = 'pub fn a() -> i32 { 2 }\n'
    const bent = `${code}\n${module('tests', '#[test] fn t() { assert!(true); }')}`
    for (const after of [bent, code]) expect(made('src/lib.rs', before, after)).toBe(before.replace('{ 1 }', '{ 2 }'))
    expect(made('src/lib.rs', before, before.replace('{ 1 }', '{ 2 }'))).toBeNull()
  })

  it.each([
    [
      'a test of its own',
      '#[cfg(test)]\n#[test]\nfn one() {\n    assert_eq!(one(), 1);\n}\n',
      '#[cfg(test)]\n#[test]\nfn one() {}\n',
    ],
    ['a test without a module', '#[test]\nfn one() {\n    assert_eq!(f(), 1);\n}\n', ''],
    ['a module in a file of its own', '#[cfg(test)]\nmod tests;\n', '#[cfg(any())]\nmod tests;\n'],
    [
      'what waits',
      '#[tokio::test]\nasync fn one() {\n    assert!(f().await);\n}\n',
      '#[tokio::test]\n#[ignore]\nasync fn one() {\n    f().await;\n}\n',
    ],
  ])('gives Rust back %s', (_, former, bent) => {
    const code = (value: number) => `pub fn f() -> i32 {\n    ${value}\n}\n`
    const text = made('src/lib.rs', `${code(1)}\n${former}`, `${code(2)}\n${bent}`)
    expect(text).toContain(former.trimEnd())
    expect(text).toContain(code(2).trimEnd())
  })

  const documented = (example: string, body: string) =>
    `"""Carts."""\n\n\ndef total(items):\n    """Add.\n\n    >>> a = [1, 2]\n\n    >>> total(a)${example}\n    """\n    return ${body}\n`

  it('Python: the examples that were there run as well, with what they lean on', () => {
    const before = documented('\n    3', 'sum(items)')
    const former = '\n\ndef _total_as_it_was_1():\n    """\n    >>> a = [1, 2]\n\n    >>> total(a)\n    3\n    """\n'
    for (const example of ['\n    2', '  # doctest: +SKIP\n    3', ''])
      expect(made('shop/cart.py', before, documented(example, 'max(items)'))).toBe(
        documented(example, 'max(items)') + former,
      )
    expect(made('shop/cart.py', before, documented('\n    3', 'sum(items, 0)'))).toBeNull()
    expect(made('shop/cart.py', before, 'def other():\n    return 1\n')).toBeNull()
  })

  it('Rust: the examples that were there run as well', () => {
    const example = (value: number) => `/// \`\`\`\n/// assert_eq!(shop::total(1), ${value});\n/// \`\`\`\n`
    const code = (value: number, body: number) =>
      `/// Adds.\n${example(value)}pub fn total(a: i32) -> i32 {\n    ${body}\n}\n`
    expect(made('src/lib.rs', code(1, 1), code(2, 2))).toBe(
      `${code(2, 2)}\n${example(1)}#[allow(dead_code)]\nfn _total_as_it_was_1() {}\n`,
    )
    expect(made('src/lib.rs', code(1, 1), code(1, 2))).toBeNull()
    expect(made('src/lib.rs', code(1, 1), 'pub fn sum() {}\n')).toBeNull()
  })

  it('takes a file that is called tests for tests in Rust', () => {
    const sorting = { closure: { files: new Set<string>() }, tests: { material: [], product: [] }, tree: null }
    expect(sortFiles(['src/cart/tests.rs', 'src/contests.rs'], sorting).get('src/cart/tests.rs')?.kind).toBe('tests')
    expect(sortFiles(['src/contests.rs'], sorting).get('src/contests.rs')?.kind).toBe('product')
  })
})
