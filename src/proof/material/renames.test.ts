import { expect, it } from 'vitest'
import type { Change } from '../files/change.ts'
import { onlyNamesChanged } from './renames.ts'

const change = (path: string, before: string, after: string, oldPath: string | null = null): Change => ({
  ...{ path, oldPath, before, after, binary: false, oldMode: '100644', newMode: '100644' },
  status: oldPath === null ? 'modified' : 'renamed',
})

const test = (name: string, from: string, value = '3', assertion = 'equal'): string =>
  `import assert from 'node:assert'\nimport { ${name} } from '${from}'\ntest('adds', () => assert.${assertion}(${name}(1, 2), ${value}))\n`
const source = (name: string, sign = '+'): string => `export const ${name} = (a, b) => a ${sign} b\n`

const renamed = [change('src/sum.js', source('sum'), source('add'))]
const moved = [change('src/math/sum.js', source('sum'), source('sum'), 'src/sum.js')]
const at = 'test/sum.test.js'

it.each<[string, Change, Change[]]>([
  ['a symbol has another name', change(at, test('sum', '../src/sum.js'), test('add', '../src/sum.js')), renamed],
  ['a file is elsewhere', change(at, test('sum', '../src/sum.js'), test('sum', '../src/math/sum.js')), moved],
  [
    'a module of Python is elsewhere',
    change('tests/test_a.py', 'from shop.a import f\nassert f() == 1\n', 'from shop.b import f\nassert f() == 1\n'),
    [change('shop/b.py', 'def f(): return 1', 'def f(): return 1', 'shop/a.py')],
  ],
])('is the same claim where %s', (_, one, product) => {
  expect(onlyNamesChanged(one, product)).toBe(true)
})

it.each<[string, string, Change[]]>([
  ['another value', test('add', '../src/sum.js', '4'), renamed],
  ['another assertion', test('add', '../src/sum.js', '3', 'ok'), renamed],
  [
    'another assertion that the product knows as a word',
    test('add', '../src/sum.js', '3', 'ok'),
    [change('src/sum.js', `${source('sum')}// equal\n`, `${source('add')}// ok\n`)],
  ],
  ['another library', test('add', '../src/sum.js').replace('node:assert', './assert.js'), renamed],
  ['a double of the product', test('add', './double.js'), renamed],
  [
    'a name that the product still has',
    test('add', '../src/sum.js'),
    [change('src/sum.js', source('sum'), source('sum') + source('add', '-'))],
  ],
  ['a test less', test('add', '../src/sum.js').replace(/^test.*\n/m, ''), renamed],
])('is another one with %s', (_, after, product) => {
  expect(onlyNamesChanged(change(at, test('sum', '../src/sum.js'), after), product)).toBe(false)
})
