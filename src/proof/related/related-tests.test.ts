import { describe, expect, it } from 'vitest'
import { changed } from '../../../test/samples/change.ts'
import { treeOf } from '../../../test/samples/tree.ts'
import { isTestFile, type RelatedChoice, relatedTests } from './related-tests.ts'
import { runnableBy } from './single-files.ts'
import { isNamedAfter } from './tree.ts'

/** So many others that a few are never more than half. */
const others = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [`other/o${index}.test.ts`, "import { z } from './z.js'"]),
)

const chosen = (
  texts: Record<string, string>,
  paths: string[],
  mapping: Record<string, string[]> = {},
  folders = [''],
): RelatedChoice =>
  relatedTests({
    changes: paths.map((path) => changed(path, '', '')),
    tree: treeOf({ ...others, ...texts }),
    mapping,
    folders,
    runs: () => true,
  })

const reasons = (choice: RelatedChoice): Record<string, string> =>
  Object.fromEntries(choice.tests.map(({ path, because }) => [path, because]))

describe('the tests that are related to a change', () => {
  it('are those that import it in JavaScript and TypeScript, directly or through others', () => {
    const choice = chosen(
      {
        'src/sum.ts': 'export const sum = 1',
        'src/total.ts': "import { sum } from './sum.js'\nexport const total = sum",
        'src/lazy.ts': "export const lazy = () => import('./sum.ts')",
        'src/all.ts': "export * from './total'",
        'test/money.test.ts': "import { total } from '../src/all.ts'",
        'test/later.spec.js': "const { lazy } = require('../src/lazy')",
        'test/apart.test.ts': "import '../src/apart.ts'",
        'src/apart.ts': '',
      },
      ['src/sum.ts'],
    )
    expect(choice.status).toBe('some')
    expect(reasons(choice)).toEqual({
      'test/money.test.ts': 'imports src/all.ts, which needs src/sum.ts',
      'test/later.spec.js': 'imports src/lazy.ts, which needs src/sum.ts',
    })
  })

  it('are those of other packages of the repository that use it by name', () => {
    const choice = chosen(
      {
        'packages/core/package.json': '{"name": "@my/core"}',
        'packages/core/src/index.ts': "export * from './deep.ts'",
        'packages/core/src/deep.ts': '',
        'packages/app/package.json': '{"name": "app"}',
        'packages/app/a.test.ts': "import { deep } from '@my/core'",
        'packages/app/b.test.ts': "import { deep } from '@my/other'",
      },
      ['packages/core/src/deep.ts'],
    )
    expect(Object.keys(reasons(choice))).toEqual(['packages/app/a.test.ts'])
  })

  it('are found in Python by modules, packages, relative imports and conftest', () => {
    const texts = {
      'shop/__init__.py': '',
      'shop/cart.py': 'from .price import total',
      'shop/price.py': '',
      'tests/conftest.py': '',
      'tests/test_checkout.py': 'from shop.cart import (\n  Cart,\n)',
      'tests/test_names.py': 'import json, shop.names as names',
      'shop/names.py': '',
    }
    expect(Object.keys(reasons(chosen(texts, ['shop/price.py'])))).toEqual(['tests/test_checkout.py'])
    expect(Object.keys(reasons(chosen(texts, ['shop/names.py'])))).toEqual(['tests/test_names.py'])
    expect(Object.keys(reasons(chosen(texts, ['tests/conftest.py'])))).toHaveLength(2)
    expect(Object.keys(reasons(chosen(texts, ['shop/__init__.py'])))).toHaveLength(2)
  })

  it('are found in Go by package and in Rust by crate', () => {
    const texts = {
      'go.mod': 'module example.com/shop\n',
      'price/price.go': 'package price',
      'price/other_test.go': 'package price',
      'cart/cart.go': 'package cart\nimport (\n  "fmt"\n  p "example.com/shop/price"\n)',
      'cart/checkout_test.go': 'package cart',
      'name/name_test.go': 'package name',
      'crates/a/Cargo.toml': '[package]\nname = "a"\n',
      'crates/a/src/lib.rs': '',
      'crates/b/Cargo.toml': '[package]\nname = "b"\n[dependencies]\na = { path = "../a" }\n',
      'crates/b/src/lib.rs': '',
      'crates/b/tests/uses_test.rs': 'use b::x;',
      'crates/c/Cargo.toml': '[package]\nname = "c"\n',
      'crates/c/tests/alone_test.rs': 'use c::x;',
    }
    expect(Object.keys(reasons(chosen(texts, ['price/price.go'])))).toEqual([
      'price/other_test.go',
      'cart/checkout_test.go',
    ])
    expect(Object.keys(reasons(chosen(texts, ['crates/a/src/lib.rs'])))).toEqual(['crates/b/tests/uses_test.rs'])
  })

  it('are those that are named after it, changed with it, mapped to it, or that name a file of data', () => {
    const choice = chosen(
      {
        'src/tax.ts': '',
        'src/tax.test.ts': '',
        'test/whole.test.ts': '',
        'src/query.sql': '',
        'test/db.test.ts': "run('query.sql')",
        'test/story.test.ts': '',
        'README.md': '',
        'test/readme.test.ts': "'README.md'",
      },
      ['src/tax.ts', 'src/query.sql', 'test/story.test.ts', 'README.md'],
      { 'src/*.ts': ['test/whole.test.ts'] },
    )
    const java = { 'src/main/java/Cart.java': '', 'src/test/java/CartTest.java': '' }
    expect(reasons(chosen(java, ['src/main/java/Cart.java']))).toEqual({
      'src/test/java/CartTest.java': 'is named after src/main/java/Cart.java',
    })
    expect(reasons(choice)).toEqual({
      'src/tax.test.ts': 'is named after src/tax.ts',
      'test/whole.test.ts': 'is mapped to src/*.ts by the settings',
      'test/db.test.ts': 'names query.sql',
      'test/story.test.ts': 'is changed itself',
    })
  })

  it('still find those that import a file which is no longer there', () => {
    const choice = chosen({ 'src/left.test.ts': "import './gone.js'" }, ['src/gone.ts'])
    expect(reasons(choice)).toEqual({ 'src/left.test.ts': 'imports src/gone.ts' })
  })

  it('say so when there are none, too many, or when nobody can tell', () => {
    expect(chosen({ 'src/a.ts': '' }, ['src/a.ts'])).toMatchObject({ status: 'none', of: 12 })
    expect(chosen({ 'other/z.ts': '' }, ['other/z.ts'])).toMatchObject({
      status: 'many',
      because: '12 of 12 test files are related',
    })
    expect(chosen({ 'src/a.ts': '', 'src/a.test.ts': '' }, ['src/a.ts', 'package-lock.json'])).toMatchObject({
      status: 'unknown',
      because: 'package-lock.json may concern every test',
    })
  })
})

describe('with packages', () => {
  const texts = {
    'pkg/a/package.json': '{"name": "a"}',
    'pkg/a/src/a.ts': '',
    'pkg/a/all.test.ts': '',
    'pkg/b/package.json': '{"name": "b", "dependencies": {"a": "*"}}',
    'pkg/b/b.test.ts': '',
    'pkg/c/package.json': '{"name": "c"}',
    'pkg/c/c.test.ts': '',
    'other/package.json': '{"name": "o"}',
  }
  const folders = ['other', 'pkg/a', 'pkg/b', 'pkg/c']

  it('the tests of a touched package are related, and those of the packages that depend on it', () => {
    expect(reasons(chosen(texts, ['pkg/a/src/a.ts'], {}, folders))).toEqual({
      'pkg/a/all.test.ts': 'is in pkg/a, which is touched',
      'pkg/b/b.test.ts': 'is in pkg/b, which depends on one that is touched',
    })
    expect(chosen(texts, ['README.md', 'pkg/a/README.md'], {}, folders).status).toBe('none')
  })
})

describe('a command', () => {
  it.each([
    ['vitest run {files}', ['a.test.ts']],
    ['python3 -m pytest {files}', ['test_a.py']],
    ['npx jest --runTestsByPath {files}', ['a.test.ts']],
    ['for f in {files}; do dirname ./$f; done | sort -u | xargs go test', ['a_test.go']],
    ['make some FILES={files}', ['a.test.ts', 'test_a.py', 'a_test.go']],
  ])('%s is given only what it can run', (command, expected) => {
    expect(['a.test.ts', 'test_a.py', 'a_test.go'].filter(runnableBy(command))).toEqual(expected)
  })
})

describe('a name', () => {
  it.each([
    ['src/a.test.ts', 'src/a.ts'],
    ['test/a.test.ts', 'src/a.ts'],
    ['src/deep/__tests__/a.spec.tsx', 'src/deep/a.tsx'],
    ['test/deep/a.test.js', 'lib/deep/a.js'],
    ['tests/test_a.py', 'shop/a.py'],
    ['pkg/a_test.go', 'pkg/a.go'],
    ['src/test/java/shop/CartTest.java', 'src/main/java/shop/Cart.java'],
    ['src/index.test.ts', 'src/index.ts'],
  ])('%s is named after %s', (test, source) => expect(isNamedAfter(test, source)).toBe(true))

  it.each([
    ['src/a.test.ts', 'src/b.ts'],
    ['src/one/a.test.ts', 'src/two/a.ts'],
    ['tests/test_a.py', 'src/a.ts'],
    ['test/index.test.ts', 'src/deep/index.ts'],
  ])('%s is not named after %s', (test, source) => expect(isNamedAfter(test, source)).toBe(false))
})

it('takes what a runner of Rust would run for tests, also where it asserts nothing', () => {
  expect(isTestFile('tests/cart.rs', '#[test]\nfn adds() {\n    let _ = add;\n}\n')).toBe(true)
  expect(isTestFile('tests/common/mod.rs', 'pub fn cart() {}\n')).toBe(false)
  expect(isTestFile('tests/alone.rs', 'fn main() {\n    println!("1 passed");\n}\n')).toBe(true)
  expect(isTestFile('tests/ui/case.rs', 'fn main() {}\n')).toBe(false)
})
